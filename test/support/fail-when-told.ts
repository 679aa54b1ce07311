/**
 * Preloaded (`--import`), it fails unexpectedly on a signal: SIGUSR2 throws an exception, SIGWINCH rejects a promise.
 */
process.on('SIGUSR2', () => {
  throw new Error('an exception that nobody expects')
})
process.on('SIGWINCH', () => {
  void Promise.reject(new Error('a rejection that nobody expects'))
})
