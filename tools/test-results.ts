/** Runs test files of a package, and returns what each test says. */
import { runCommand } from './command.ts'

export interface TestResult {
  /** The name of its outer group. */
  readonly group: string
  readonly name: string
  readonly passed: boolean
}

/** Returns the results of test files, whose paths are relative to the folder. @throws if a file cannot be run. */
export function testResults(folder: string, files: readonly string[]): TestResult[] {
  const args = ['run', '--mode', 'results', ...files, '--reporter=tap-flat']
  const { stdout, output } = runCommand('vitest', args, { cwd: folder, quiet: true })
  // ok 1 - src/openai.test.ts > OpenAI.chat > sends messages # time=3ms
  const results = [...stdout.matchAll(/^(ok|not ok) \d+ - (.*?) > (.*?)(?: # (?:time=|SKIP).*)?$/gm)]
  for (const file of files) if (!results.some(([, , path]) => path === file)) throw new Error(`${file}: ${output}`)
  return results.map(([, verdict, , title]) => {
    const [group = '', ...names] = title!.split(' > ')
    return { group, name: names.join(' > '), passed: verdict === 'ok' }
  })
}
