/**
 * Folds the case of text, so that words compare equal in Turkish and in English: `istanbul`, `İSTANBUL`, `ISTANBUL` and
 * `ıstanbul` all become `istanbul`. Other letters keep their marks (ş is not s).
 *
 * Needed because SQLite's `lower` and `LIKE` only know ASCII, and because one lower case cannot be right for both
 * languages: Turkish pairs i/İ and ı/I, English i/I. Also replaces the typographic apostrophe of ICU's names by the
 * ASCII apostrophe.
 */
export function foldText(text: string): string {
  const lower = text.normalize('NFC').replace(/[Iİı]/g, 'i').replaceAll('’', "'").toLowerCase()
  // Normalized again, because some letters have a composed form only in lower case (H with a line below).
  return lower.normalize('NFC')
}
