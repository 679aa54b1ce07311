import { readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { insertRow } from '../store/sandbox-rows.ts'
import { orderNumberOf, ranked } from './seeded-names.ts'

/** *Assumed*: the units that are requested most. */
const mostRequested = ['C62', 'KGM', 'PR', 'SET', 'MTR']

/** Seeds the units of measure of UN/ECE Recommendation 20, in the order of the file: code, English name, Turkish name. */
export function seedUnitsOfMeasure(db: DatabaseSync): void {
  const lines = readFileSync(new URL('units-of-measure.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const units = lines.map((line) => line.split('|').map((part) => part.trim()))
  for (const { id, place, row } of ranked(units, 'en', ([, nameEn = '']) => nameEn)) {
    const [code = '', nameEn = '', nameTr = ''] = row
    const orderNumber = orderNumberOf(code, mostRequested)
    insertRow(db, 'unitsOfMeasure', { id, code, nameEn, nameTr, nameEnOrder: place, orderNumber })
  }
}

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
  for (const { id, place, row } of ranked(exportCodes, 'tr', ([, name]) => name)) {
    const [code, name] = row
    insertRow(db, 'exportCodes', { id, code, name, nameOrder: place, orderNumber: code === '1000' ? 10 : 0 })
  }
}
