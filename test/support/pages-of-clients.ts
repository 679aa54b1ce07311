import { clientsCsv } from '../../src/admin/dashboard/clients-csv.ts'
import { readClientsFilter } from '../../src/admin/dashboard/clients-filter.ts'
import { clientsPage } from '../../src/admin/dashboard/clients-page.ts'
import type { DashboardSources } from '../../src/admin/dashboard/serve-dashboard.ts'
import { switchOffPage } from '../../src/admin/dashboard/switch-off-page.ts'

const filter = (query: Readonly<Record<string, string>> = {}) => readClientsFilter((name) => query[name])

/** What is made of the usage of all clients, each by its name. */
export const PAGES_OF_CLIENTS: readonly (readonly [string, (sources: DashboardSources) => Promise<unknown>])[] = [
  ['the page Clients', (sources) => clientsPage(sources, filter())],
  ['the page Clients, by name', (sources) => clientsPage(sources, filter({ client: 'MUSTERI', sort: 'client' }))],
  ['the CSV', (sources) => clientsCsv(sources, filter())],
  ['the page Switch-off', (sources) => switchOffPage(sources)],
]
