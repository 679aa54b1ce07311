/** Preloaded (`--import`), it fails as nobody expects it to: on SIGUSR2 with an exception, on SIGWINCH with a rejection. */
process.on('SIGUSR2', () => {
  throw new Error('an exception that nobody expects')
})
process.on('SIGWINCH', () => {
  void Promise.reject(new Error('a rejection that nobody expects'))
})
