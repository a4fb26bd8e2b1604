/** Folders for tests. */
export { deleteFolders, folderOf, write } from '../../../../tools/test-folder.ts'

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
