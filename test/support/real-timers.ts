const { setTimeout, setInterval, setImmediate } = globalThis

/**
 * Throws if a timer is not Node's own, and puts it back. Otherwise all files that run later in the same worker would wait forever, and
 * their time-outs with them.
 */
export function expectRealTimers(): void {
  const isReal = globalThis.setTimeout === setTimeout && globalThis.setInterval === setInterval
  Object.assign(globalThis, { setTimeout, setInterval, setImmediate })
  if (!isReal) throw new Error('this file leaves fake timers behind: call vi.useRealTimers() after each test')
}
