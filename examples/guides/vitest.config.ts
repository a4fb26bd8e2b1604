import { globSync } from 'node:fs'
import { packageTests } from '../../tools/vitest.ts'

export default packageTests({ linesCovered: 0, documents: globSync('../../docs/guides/*.md') })
