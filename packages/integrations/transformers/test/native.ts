/**
 * Refuses an `@x/transformers` that does not work as users install it: its tarball, with npm, beside transformers.js with the native
 * runtime, in the lowest and the pinned version. Without the library it must say how to install it. Needs built packages, and the
 * network for about 330 MB on first use; npm's cache serves repeated runs.
 *
 * @example npm run transformers-native
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mustRun, runBeside } from '../../../../tools/command.ts'
import { installProject, packWithDependencies } from '../../../../tools/packed.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const tested = 'packages/integrations/transformers'
const { devDependencies } = JSON.parse(readFileSync(join(root, tested, 'package.json'), 'utf8'))
const versions = ['@huggingface/transformers-lowest', '@huggingface/transformers'].map(
  (name) => /[\d.]+$/.exec(devDependencies[name])![0],
)

process.env['ONNXRUNTIME_NODE_INSTALL'] = 'skip'

const project = mkdtempSync(join(tmpdir(), 'x-native-'))
let failed = 0
let passed = 0
try {
  const dependencies = await packWithDependencies(join(root, tested), join(project, 'tarballs'))
  await installProject(project, dependencies)
  cpSync(join(root, tested, 'test'), join(project, tested, 'test'), { recursive: true })
  const npm = ['install', '--no-audit', '--no-fund', '--loglevel=error']

  const code = `import { TransformersNer } from '@x/transformers'
await new TransformersNer({ modelName: 'x' }).recognize('a').catch(({ code, message }) => console.log(code, message))`
  const without = await mustRun(process.execPath, ['--input-type=module', '--eval', code], project)
  if (/^missing_dependency .*npm install @huggingface\/transformers/.test(without)) passed += 1
  else {
    failed += 1
    console.log(`  without the library: ${without}`)
  }

  for (const version of versions) {
    await mustRun('npm', [...npm, `@huggingface/transformers@${version}`], project)
    const { output } = await runBeside(process.execPath, [join(tested, 'test', 'native-main.ts')], project)
    process.stdout.write(output)
    const counts = /(\d+) passed, (\d+) failed\s*$/.exec(output)
    passed += Number(counts?.[1] ?? 0)
    failed += Number(counts?.[2] ?? 1)
  }
} finally {
  rmSync(project, { recursive: true, force: true })
}
console.log(`transformers-native: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
