/** The cases of `models.json`. */
import { defineArea } from '../../case.ts'
import { classes } from './classes.ts'
import { copying } from './copying.ts'
import { customModel } from './custom-model.ts'
import { embedding } from './embedding.ts'
import { languageModel } from './language-model.ts'
import { lines } from './lines.ts'
import { messages } from './messages.ts'
import { reading } from './reading.ts'
import { writing } from './writing.ts'

export const area = defineArea([
  classes,
  writing,
  reading,
  copying,
  messages,
  embedding,
  languageModel,
  customModel,
  lines,
])
