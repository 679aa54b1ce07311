import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const page = readFileSync('docs/fleet.md', 'utf8')
const shown = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].flatMap(([, code = '']) =>
    code.split('\n').filter((line) => line !== ''),
  )

it.each([
  ['haproxy', 'deploy/haproxy/haproxy.cfg'],
  ['yaml', 'deploy/kubernetes/deployment.yaml'],
])('docs/fleet.md shows in %s only lines of %s, in their order', (language, file) => {
  const lines = shown(language)
  expect(lines.length).toBeGreaterThan(3)
  let at = -1
  for (const line of lines) {
    const next = readFileSync(file, 'utf8')
      .split('\n')
      .indexOf(line, at + 1)
    expect(next, line).toBeGreaterThan(at)
    at = next
  }
})

it('docs/fleet.md says the times that the files have', () => {
  const cells = (name: string): readonly string[] =>
    new RegExp(`^\\| ${name} \\|(.*)\\|$`, 'm')
      .exec(page)?.[1]
      ?.split('|')
      .map((cell) => cell.trim()) ?? []
  const kustomization = readFileSync('deploy/kubernetes/kustomization.yaml', 'utf8')
  const compose = readFileSync('docker-compose.yml', 'utf8')
  for (const name of ['DRAIN_MS', 'SHUTDOWN_GRACE_MS']) {
    const [, written = ''] = new RegExp(`- ${name}=(\\d+)`).exec(kustomization) ?? []
    const inWords = Number(written).toLocaleString('en')
    expect(cells(`\`${name}\``)).toEqual([inWords, inWords])
  }
  expect(cells('Killed after')).toEqual(['20 s: `stop_grace_period`', '30 s: `terminationGracePeriodSeconds`'])
  expect(compose).toContain('stop_grace_period: 20s')
})

it('docs/fleet.md names every secret that docker compose --profile fleet up needs', () => {
  for (const name of ['ADMIN_TOKEN', 'TOKEN_KEY', 'STATE_PASSWORD', 'POSTGRES_PASSWORD']) {
    expect(page).toMatch(new RegExp(`^${name}=…`, 'm'))
  }
})

it('docs/behind-a-balancer.md recommends for HAProxy what deploy/haproxy/haproxy.cfg has', () => {
  const [, after = ''] = readFileSync('docs/behind-a-balancer.md', 'utf8').split('```haproxy\n')
  const [block = ''] = after.split('```')
  const recommended = block.split('\n').filter((line) => /^ +(?!server |\s)/.test(line))
  const shipped = readFileSync('deploy/haproxy/haproxy.cfg', 'utf8').split('\n')
  expect(recommended.length).toBeGreaterThan(4)
  for (const line of recommended) {
    const words = line.trim().split(' ')
    const isThere = shipped.some((other) => words.every((word) => other.split(' ').includes(word)))
    expect(isThere, line).toBe(true)
  }
})
