import type { DatabaseSync } from 'node:sqlite'
import { rankNames } from './rank-names.ts'

/**
 * *Assumed* (docs/contract.md 13.2): the regimes under which Turkish customs lets goods leave the country, with their
 * numbers. The regime for goods that are sold and stay abroad comes first in the default order.
 */
const exportCodes = [
  ['1000', 'Kesin ihracat'],
  ['1021', 'Hariçte işleme rejimiyle geçici olarak çıkan eşyanın kesin ihracı'],
  ['1023', 'Geri getirilmek üzere geçici olarak çıkan eşyanın kesin ihracı'],
  ['1040', 'İthal edilmiş eşyanın kesin ihracı'],
  ['1072', 'Gümrük kontrolü altında işlenmiş eşyanın kesin ihracı'],
  ['2100', 'Hariçte işleme için geçici ihracat'],
  ['2141', 'Dahilde işlenen eşyanın hariçte işleme için geçici ihracatı'],
  ['2151', 'Şartlı muafiyetle dahilde işlenen eşyanın hariçte işleme için geçici ihracatı'],
  ['2300', 'Geri getirilmek üzere geçici ihracat'],
  ['2340', 'İthal edilmiş eşyanın geri getirilmek üzere geçici ihracatı'],
  ['3141', 'Geri ödemeyle dahilde işlenen eşyanın yeniden ihracı'],
  ['3151', 'Şartlı muafiyetle dahilde işlenen eşyanın yeniden ihracı'],
  ['3153', 'Geçici olarak ithal edilen eşyanın yeniden ihracı'],
  ['3158', 'Serbest bölgeden gelen eşyanın yeniden ihracı'],
  ['3171', 'Antrepodaki eşyanın yeniden ihracı'],
] as const

export function seedExportCodes(db: DatabaseSync): void {
  const ranks = rankNames(
    exportCodes.map(([, name]) => name),
    'tr',
  )
  const insert = db.prepare('INSERT INTO exportCodes (id, code, name, nameOrder, orderNumber) VALUES (?, ?, ?, ?, ?)')
  for (const [index, [code, name]] of exportCodes.entries()) {
    insert.run(index + 1, code, name, ranks[index] ?? null, code === '1000' ? 10 : 0)
  }
}
