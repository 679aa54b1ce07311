/** How v1's pages are asked for: the names of its parameters, and the most rows that a page has. */
export interface Paging {
  readonly page: string
  readonly perPage: string
  readonly mostPerPage: number
}
