import type { Form } from '../../../mapping/corrections/corrections.ts'
import { FORMS } from './forms.ts'
import type { LearnedSource } from './learned.ts'

/** How a v1 value becomes legacy's: as it is, in a form, or as a decimal. */
export type Conversion = { readonly as?: Form | undefined; readonly scale?: number | undefined }

/** How often a v1 path had legacy's value in the exchanges so far. One that does not report it disagrees, or has no value. */
export class SourceSum {
  readonly v1: string
  agreed = 0
  againstNull = 0
  againstMissing = 0
  nullNull = 0
  nullMissing = 0
  #unscaled = 0
  readonly #forms = new Map<Form, number>()
  readonly #scales = new Map<number, number>()

  constructor(v1: string) {
    this.v1 = v1
  }

  add(source: LearnedSource): void {
    for (const form of Object.keys(source.forms) as Form[]) this.#forms.set(form, this.#forms.get(form) ?? this.agreed)
    for (const [bit, form] of FORMS.entries()) {
      const isNever = (source.neverIn & (1 << bit)) !== 0
      if (isNever && this.agreed > 0 && !this.#forms.has(form)) this.#forms.set(form, this.agreed)
      const before = this.#forms.get(form)
      if (before !== undefined) this.#forms.set(form, before + (isNever ? 0 : (source.forms[form] ?? source.agreed)))
    }
    for (const [scale, times] of Object.entries(source.scales)) {
      this.#scales.set(Number(scale), (this.#scales.get(Number(scale)) ?? 0) + times)
    }
    this.agreed += source.agreed
    this.#unscaled += source.unscaled
    this.againstNull += source.againstNull
    this.againstMissing += source.againstMissing
    this.nullNull += source.nullNull
    this.nullMissing += source.nullMissing
  }

  /** Returns in how many places it agrees, as it is and with each conversion that makes a difference. */
  conversions(): readonly (Conversion & { readonly agreed: number })[] {
    return [
      { agreed: this.agreed },
      ...[...this.#forms].map(([as, agreed]) => ({ as, agreed })),
      ...[...this.#scales].map(([scale, agreed]) => ({ scale, agreed: agreed + this.#unscaled })),
    ]
  }

  /** Returns the most places in which it agrees in any way. */
  most(): number {
    return Math.max(...this.conversions().map(({ agreed }) => agreed))
  }

  /**
   * Returns in how many places a line from here would show something else where legacy has no value.
   * @param nulls in how many places legacy has null. @param missings in how many it has no such member.
   */
  conflicts(nulls: number, missings: number, absent: 'null' | 'missing' | undefined): number {
    const against = this.againstNull + this.againstMissing
    if (absent === 'null') return against + (missings - this.againstMissing)
    if (absent === 'missing') return against + (nulls - this.againstNull)
    return against + this.nullMissing + (nulls - this.againstNull - this.nullNull)
  }

  /** Returns how often `absent` makes a difference. */
  absentTimes(nulls: number, absent: 'null' | 'missing'): number {
    return absent === 'missing' ? this.nullMissing : nulls - this.againstNull - this.nullNull
  }
}
