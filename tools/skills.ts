/**
 * Writes the skills of the package in the working directory, `skills/NAME/SKILL.md`: a step of `prepack`. In the folder of the repository
 * it refuses packages that do not publish the skills that they have.
 *
 * @example cd packages/prompts && node ../../tools/skills.ts
 * @example node tools/skills.ts
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { packageFolders } from './packages.ts'
import { skillTexts } from './skill-texts.ts'

const folders = packageFolders()
if (folders.includes(process.cwd())) {
  rmSync('skills', { recursive: true, force: true })
  for (const [path, text] of skillTexts(process.cwd())) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
} else {
  const having = folders.filter((folder) => skillTexts(folder).size > 0)
  const problems = having.flatMap((folder) => {
    const { files, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const isPublished = files.includes('skills') && scripts.prepack.includes('skills.ts')
    return isPublished ? [] : [`${basename(folder)}/package.json: expected "skills" in files, and skills.ts in prepack`]
  })
  for (const problem of problems) console.log(`  ${problem}`)
  console.log(`skills: ${having.length - problems.length} passed, ${problems.length} failed`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
