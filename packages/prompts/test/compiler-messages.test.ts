/// <reference types="node" />
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Compiles a program that uses the package and returns the error messages. */
function messages(lines: readonly string[]): string[] {
  const folder = mkdtempSync(join(root, '.compiler-messages-'))
  try {
    const program = ["import { ChatPromptTemplate, PromptTemplate } from '@x/prompts'", ...lines]
    writeFileSync(join(folder, 'program.ts'), program.join('\n'))
    const config = { extends: '../../../tsconfig.base.json', include: ['program.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const windows = process.platform === 'win32'
    const tsc = join(root, '..', '..', 'node_modules', '.bin', windows ? 'tsc.cmd' : 'tsc')
    const { stdout } = spawnSync(tsc, ['-p', folder, '--pretty', 'false'], { encoding: 'utf8', shell: windows })
    return stdout.split(/\r?\n/).flatMap((line) => /program\.ts.*?error TS\d+: (.*)/.exec(line)?.[1] ?? [])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it('the compiler reports missing and misspelt variables', { timeout: 60_000 }, () => {
  expect(
    messages([
      "const prompt = new PromptTemplate({ template: 'Translate to {language}: {text}' })",
      "prompt.format({ language: 'French' })",
      "prompt.format({ language: 'French', txt: 'yes' })",
      "prompt.format({ language: 'French', text: null })",
      "prompt.format({ language: 'French', text: 'yes' })",
      "const chat = ChatPromptTemplate.fromMessages([['system', '{a}'], ['user', '{b}']])",
      "chat.formatMessages({ a: 'x' })",
      "chat.partialFormat({ b: 'y' }).formatMessages({ a: 'x' })",
    ]),
  ).toEqual([
    "Property 'text' is missing in type '{ language: string; }' but required in type '{ readonly language: TemplateValue; readonly text: TemplateValue; }'.",
    "Object literal may only specify known properties, but 'txt' does not exist in type '{ readonly language: TemplateValue; readonly text: TemplateValue; }'. Did you mean to write 'text'?",
    "Type 'null' is not assignable to type 'TemplateValue'.",
    "Property 'b' is missing in type '{ a: string; }' but required in type '{ readonly a: TemplateValue; readonly b: TemplateValue; }'.",
  ])
})
