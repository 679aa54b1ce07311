/** How to request v1's pages: the names of its parameters, and the most rows of a page. */
export interface Paging {
  readonly page: string
  readonly perPage: string
  readonly mostPerPage: number
}
