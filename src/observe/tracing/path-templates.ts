/** Returns the template of a path, without its query. There is one per operation, however many paths are called. */
export type TemplateOf = (path: string) => string | undefined

/**
 * Prepares templates for looking up paths.
 * @param templates paths with parameters in braces, as in docs/contract.md 4 and 6.
 */
export function pathTemplates(templates: readonly string[]): TemplateOf {
  const plain = new Set(templates.filter((template) => !template.includes('{')))
  const others = templates
    .filter((template) => template.includes('{'))
    .map((template) => ({
      template,
      pattern: new RegExp(
        `^${template
          .split(/\{\w+\}/)
          .map(escaped)
          .join('[^/]+')}$`,
      ),
    }))
  return (target) => {
    const queryAt = target.indexOf('?')
    const path = queryAt === -1 ? target : target.slice(0, queryAt)
    return plain.has(path) ? path : others.find(({ pattern }) => pattern.test(path))?.template
  }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
