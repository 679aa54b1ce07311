import { type Difference, type Disturbance, type Fault, isDifference, type Scope } from './fault.ts'

/** A fault in the book. */
export interface SetFault {
  readonly id: number
  readonly path: string
  /** How many more calls it applies to. */
  readonly calls: number | 'all'
  readonly fault: Fault
}

/** The faults of one call. */
export interface Faults {
  readonly disturbance: Disturbance | undefined
  readonly differences: readonly Difference[]
}

/** The faults of one face. Kept only in memory. A fault is removed when its calls are used up. */
export interface FaultBook {
  set(scope: Scope, fault: Fault): SetFault
  /** Lists the faults in the order in which they were set. */
  list(): readonly SetFault[]
  /** Removes a fault. Returns false if there is no such fault. */
  remove(id: number): boolean
  clear(): void
  /**
   * Returns the faults of a call to this path, and counts the call against them. `path` is undefined if no fault can be
   * set for it; `own` is the fault that the call itself names. All differences apply. Of disturbances, only the call's
   * own applies, or else the oldest; the others wait for later calls.
   */
  take(path: string | undefined, own: Fault | undefined): Faults
}

export function openFaultBook(): FaultBook {
  const faults = new Map<number, SetFault>()
  let lastId = 0

  function use({ id, calls, ...rest }: SetFault): void {
    if (calls === 1) faults.delete(id)
    else if (calls !== 'all') faults.set(id, { id, calls: calls - 1, ...rest })
  }

  return {
    set({ path, calls }, fault) {
      const set = { id: ++lastId, path, calls, fault }
      faults.set(set.id, set)
      return set
    },
    list: () => [...faults.values()],
    remove: (id) => faults.delete(id),
    clear: () => faults.clear(),
    take(path, own) {
      const matching = [...faults.values()].filter(
        (each) => path !== undefined && (each.path === '*' || each.path === path),
      )
      const isDisturbed = own !== undefined && !isDifference(own)
      const first = isDisturbed ? undefined : matching.find(({ fault }) => !isDifference(fault))
      const taken = matching.filter((each) => each === first || isDifference(each.fault))
      for (const each of taken) use(each)
      const all = [...taken.map(({ fault }) => fault), ...(own === undefined ? [] : [own])]
      return {
        disturbance: all.find((fault): fault is Disturbance => !isDifference(fault)),
        differences: all.filter(isDifference),
      }
    },
  }
}
