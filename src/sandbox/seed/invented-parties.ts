import type { Random } from './random.ts'

/** The recipient of an invoice. Members that do not apply are empty. */
export interface Party {
  readonly firstName: string
  readonly lastName: string
  readonly citizenshipNumber: string
  readonly company: string
  readonly taxNumber: string
}

const firstNames = ['Ayşe', 'Ali', 'Işıl', 'İsmail', 'Şule', 'Çağrı', 'Gökçe', 'Ömer', 'Tuğba', 'Ünal'] as const

/** Turkish for Sample, Trial, Specimen, Test and the like, so clearly no one's name. */
const lastNames = ['Örnek', 'Deneme', 'Numune', 'Sınama', 'Örnekoğlu', 'Taslak', 'Şablon', 'İsimsiz'] as const

const companies = [
  'Örnek Dış Ticaret A.Ş.',
  'Deneme Işıklandırma Ltd. Şti.',
  'Numune İplik San. ve Tic. A.Ş.',
  'Sınama Ağaç Ürünleri Ltd. Şti.',
  'Taslak Yağ ve Gıda A.Ş.',
  'Şablon "Çizgi" Tasarım & Baskı',
] as const

/** Invents a company with a contact person. */
export function inventCompany(random: Random): Party {
  return {
    ...inventName(random),
    citizenshipNumber: '',
    company: random.pick(companies),
    taxNumber: digits(random, 10),
  }
}

/** Invents a private buyer. */
export function inventPerson(random: Random): Party {
  return { ...inventName(random), citizenshipNumber: digits(random, 11), company: '', taxNumber: '' }
}

function inventName(random: Random) {
  return { firstName: random.pick(firstNames), lastName: random.pick(lastNames) }
}

/** Invents a number that cannot be anyone's, because no real number starts with three zeros. */
function digits(random: Random, length: number): string {
  return `000${random.between(0, 10 ** (length - 3) - 1)}`.padEnd(length, '0')
}
