/**
 * Folds text so that what a person takes for the same word compares equal whatever its case, in Turkish and in English:
 * `istanbul`, `İSTANBUL`, `ISTANBUL` and `ıstanbul` all become `istanbul`. Other letters keep their marks (ş is not s).
 *
 * Needed because sqlite's `lower` and `LIKE` know ASCII only, and because no single language's lower case is right for
 * both: Turkish pairs i/İ and ı/I, English i/I. The typographic apostrophe of ICU's names becomes the typed one.
 */
export function foldText(text: string): string {
  const lower = text.normalize('NFC').replace(/[Iİı]/g, 'i').replaceAll('’', "'").toLowerCase()
  // Again, because some letters have a composed form in lower case only (H with a line below).
  return lower.normalize('NFC')
}
