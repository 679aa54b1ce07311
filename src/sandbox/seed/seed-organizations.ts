import type { DatabaseSync } from 'node:sqlite'

/** The accounts of the sandbox. Their secrets are public, because they protect only invented data. */
export const organizations = {
  demo: { id: 1, name: 'Demo Dış Ticaret A.Ş.', clientId: 'demo-client', secretKey: 'demo-secret' },
  other: { id: 2, name: 'Örnek Işıklandırma Ltd. Şti.', clientId: 'other-client', secretKey: 'other-secret' },
} as const

export function seedOrganizations(db: DatabaseSync): void {
  const insert = db.prepare('INSERT INTO organizations (id, name, clientId, secretKey) VALUES (?, ?, ?, ?)')
  for (const { id, name, clientId, secretKey } of Object.values(organizations)) {
    insert.run(id, name, clientId, secretKey)
  }
}
