import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'

/** Writes a gateway's dossier, signed with a new key, checks the signature, and returns a line that says where it is. */
export async function writeDossier(adminUrl: string, folder: string): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const [key, pub, page] = ['key.pem', 'key.pub.pem', 'dossier.html'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  writeFileSync(pub, publicKey.export({ type: 'spki', format: 'pem' }))
  await runCommand(['dossier', '--out', page, '--admin', adminUrl], { DOSSIER_KEY: key })
  const said = await runCommand(['dossier', 'verify', page.replace(/html$/, 'json'), '--key', pub])
  return `\nDossier: ${page}\n${said.trim()}`
}
