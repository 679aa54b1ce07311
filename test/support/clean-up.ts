import { rmSync } from 'node:fs'

const closers: (() => unknown)[] = []
const folders: string[] = []

/** Closes something after all tests of the file. Concurrent tests share the list. */
export function closeAtEnd(close: () => unknown): void {
  closers.push(close)
}

/** Removes a folder when everything is closed that may write to it. */
export function removeAtEnd(folder: string): void {
  folders.push(folder)
}

/** Closes everything that is registered so far, and removes the folders. */
export async function closeAll(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()))
  // What was just closed may still be writing.
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
