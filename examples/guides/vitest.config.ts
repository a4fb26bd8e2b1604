import { fileURLToPath } from 'node:url'
import { guideDocuments } from '../../tools/doc-examples.ts'
import { packageTests } from '../../tools/vitest.ts'

/** The guides whose examples connect to the database of `postgres-setup.ts`. */
const systemDocuments = ['persist', 'ingest-with-many-workers', 'deploy'].map((name) => `../../docs/guides/${name}.md`)

export default packageTests({
  linesCovered: 0,
  // A model at its public address is refused without a key; `public-model.ts` answers its requests.
  env: { OPENAI_API_KEY: 'sk-example' },
  setupFiles: [fileURLToPath(new URL('public-model.ts', import.meta.url))],
  documents: guideDocuments().filter((path) => !systemDocuments.includes(path)),
  systemDocuments,
  globalSetup: [fileURLToPath(new URL('../../tools/postgres-setup.ts', import.meta.url))],
})
