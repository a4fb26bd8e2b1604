/** Folders for tests. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const made: string[] = []

/** Creates a folder with these files. */
export async function folderOf(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'ask-')))
  made.push(folder)
  await write(folder, files)
  return folder
}

/** Writes files into a folder. */
export async function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

/** Deletes the folders that were created. */
export async function deleteFolders(): Promise<void> {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true })
}

/** Two documents with three tables, one of them in a folder. */
export const fruit = {
  'fruit.md': `---
title: All about fruit
---

# Fruit

Prices of this week.

## Prices

| name   | price  | origin  |
|--------|-------:|---------|
| apple  | 2.10 € | Austria |
| cherry | 9.10 € | Spain   |
| pear   | 3.00 € | Austria |

## Storing fruit

Keep pears in a cool cellar.
`,
  'guides/install.md': `# Install

Run the installer.

## On Linux

Unpack the archive.

## On Windows

Click twice.

### On Linux

A subsystem.

| file  | size   |
|-------|--------|
| a.bin | 900 KB |
| b.bin | 3 MB   |
`,
  'guides/parts.mdx':
    'import { Tab } from "./tab"\n\n<Tab>\n    | part | count |\n    |---|---|\n    | screw | 12 |\n</Tab>\n',
}
