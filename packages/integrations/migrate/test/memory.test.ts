// @module-tag system
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'

it('copies a document store that is larger than its memory', { timeout: 300_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'migrate-'))
  try {
    const count = rounds(3_000, 15_000)
    const megabytes = rounds(40, 96)
    const text = 'A long text. '.repeat(800)
    const file = openSync(join(directory, 'docstore.json'), 'w')
    writeSync(file, '{"docstore/data":{')
    for (let i = 0; i < count; i++) {
      const data = { id_: `n${i}`, text: `${i} ${text}`, relationships: {}, class_name: 'TextNode' }
      writeSync(file, `${i > 0 ? ',' : ''}"n${i}":${JSON.stringify({ __data__: data, __type__: '1' })}`)
    }
    writeSync(file, '}}')
    closeSync(file)
    const ids = Array.from({ length: count }, (_, i) => `"n${i}":[0.${i},1]`)
    writeFileSync(join(directory, 'default__vector_store.json'), `{"embedding_dict":{${ids.join()}}}`)
    // 160 MB of nodes with 96 MB of memory for values, or a fifth of them with 40 MB.
    const args = [
      `--max-old-space-size=${megabytes}`,
      '--conditions=@x/source',
      join(import.meta.dirname, '..', 'src', 'main.ts'),
    ]
    const target = `sqlite:${join(directory, 'app.db')}`
    const { stdout, status } = spawnSync(process.execPath, [...args, directory, '--to', target], { encoding: 'utf8' })
    expect(stdout).toContain(
      `${count} nodes, ${count} vectors, ${count} hashes, 0 conversations of 0 messages, 0 differences`,
    )
    expect(status).toBe(0)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

it.each(['sqlite:app.db', 'json:again'])(
  'starts clean after a run into %s that was killed',
  { timeout: 120_000 },
  async (target) => {
    const directory = mkdtempSync(join(tmpdir(), 'migrate-'))
    try {
      const count = rounds(10_000, 30_000)
      const records = Array.from({ length: count }, (_, i) => {
        const data = { id_: `n${i}`, text: `text ${i}`, relationships: {}, class_name: 'TextNode' }
        return `"n${i}":${JSON.stringify({ __data__: data, __type__: '1' })}`
      })
      writeFileSync(join(directory, 'docstore.json'), `{"docstore/data":{${records.join()}}}`)
      const [form, name] = target.split(':') as [string, string]
      const path = join(directory, name)
      const args = [
        '--conditions=@x/source',
        join(import.meta.dirname, '..', 'src', 'main.ts'),
        directory,
        '--to',
        `${form}:${path}`,
      ]
      const killed = spawn(process.execPath, args)
      // The progress is reported while the target is being written.
      await Promise.race([once(killed.stderr, 'data'), once(killed, 'exit')])
      killed.kill('SIGKILL')
      await once(killed, 'exit')
      expect(existsSync(path)).toBe(false)
      const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      expect(stdout).toContain(
        `${count} nodes, 0 vectors, ${count} hashes, 0 conversations of 0 messages, 0 differences`,
      )
      expect([status, existsSync(path)]).toEqual([0, true])
      expect(readdirSync(directory).filter((file) => file.includes('migrating'))).toEqual([])
    } finally {
      rmSync(directory, { recursive: true })
    }
  },
)
