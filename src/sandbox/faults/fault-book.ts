import { type Difference, type Disturbance, type Fault, isDifference, type Scope } from './fault.ts'

/** A fault that is set. */
export interface SetFault {
  readonly id: number
  readonly path: string
  /** How many calls it is still for. */
  readonly calls: number | 'all'
  readonly fault: Fault
}

/** What goes wrong with one call. */
export interface Faults {
  readonly disturbance: Disturbance | undefined
  readonly differences: readonly Difference[]
}

/** The faults of one face. They are kept in memory only, and a fault is gone when its calls are used up. */
export interface FaultBook {
  set(scope: Scope, fault: Fault): SetFault
  /** In the order in which they were set. */
  list(): readonly SetFault[]
  /** False when there is no such fault. */
  remove(id: number): boolean
  clear(): void
  /**
   * What goes wrong with a call of this path (undefined: of none that faults are set for) that brings this fault of its own.
   * The call is counted: the oldest disturbance takes it, unless it brings one, and the next one waits its turn; and every
   * difference.
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
      const here = [...faults.values()].filter(
        (each) => path !== undefined && (each.path === '*' || each.path === path),
      )
      const isDisturbed = own !== undefined && !isDifference(own)
      const first = isDisturbed ? undefined : here.find(({ fault }) => !isDifference(fault))
      const taken = here.filter((each) => each === first || isDifference(each.fault))
      for (const each of taken) use(each)
      const all = [...taken.map(({ fault }) => fault), ...(own === undefined ? [] : [own])]
      return {
        disturbance: all.find((fault): fault is Disturbance => !isDifference(fault)),
        differences: all.filter(isDifference),
      }
    },
  }
}
