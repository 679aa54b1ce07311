/** Numbers elements, so that sets of them are small. */
export interface ElementBook {
  /** Returns the number of an element of an operation. */
  numberOf(operation: string, element: string): number
  /** Returns the text of an element, for instance `request statusId: zero`. */
  elementAt(number: number): string
  operationAt(number: number): string
  count(): number
}

/** Returns an empty book. */
export function elementBook(): ElementBook {
  const numbers = new Map<string, Map<string, number>>()
  const elements: { readonly operation: string; readonly element: string }[] = []
  return {
    numberOf(operation, element) {
      const ofOperation = numbers.get(operation) ?? new Map<string, number>()
      numbers.set(operation, ofOperation)
      const found = ofOperation.get(element)
      if (found !== undefined) return found
      ofOperation.set(element, elements.length)
      return elements.push({ operation, element }) - 1
    },
    elementAt: (number) => elements[number]?.element ?? '',
    operationAt: (number) => elements[number]?.operation ?? '',
    count: () => elements.length,
  }
}
