import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toolLoop } from '@x/agents/loop'
import { expect, it } from 'vitest'
import { calls, model, sent } from '../test/model.ts'
import { skills } from './index.ts'
import { skillFolder } from './node.ts'

async function folder(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'skills-'))
  await mkdir(join(root, 'skills/mail'), { recursive: true })
  await writeFile(join(root, 'secret.md'), 'secret')
  await writeFile(join(root, 'skills/mail/SKILL.md'), '---\nname: mail\ndescription: Writes mails.\n---\nBe kind.')
  return root
}

it('reads the skills of a folder', async () => {
  const source = skillFolder(join(await folder(), 'skills'))
  const llm = model(calls(['read_skill', { name: 'mail' }]), 'Done.')
  const { sources } = await toolLoop({ llm, layers: [skills(source)] }).run('Mail Ann.')
  expect(sent(llm, 0)[0]).toContain('- mail: Writes mails.')
  expect(sources[0]!.content).toBe('Be kind.')
  await expect(source.read('mail/none.md')).rejects.toMatchObject({ code: 'file' })
  await expect(source.read('../secret.md')).rejects.toMatchObject({ code: 'file' })
})

it.skipIf(process.platform === 'win32')('refuses links that lead out of the folder', async () => {
  const root = await folder()
  await symlink(join(root, 'secret.md'), join(root, 'skills/mail/link.md'))
  await symlink(root, join(root, 'skills/mail/out'))
  const source = skillFolder(join(root, 'skills'))
  await expect(source.read('mail/link.md')).rejects.toMatchObject({ code: 'file' })
  await expect(source.read('mail/out/secret.md')).rejects.toMatchObject({ code: 'file' })
})
