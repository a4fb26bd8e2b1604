/** The cases of `prompts.json`. */
import { defineArea } from '../../case.ts'
import { components } from './components.ts'
import { formatting } from './formatting.ts'
import { isolation } from './isolation.ts'
import { mixin } from './mixin.ts'
import { texts } from './texts.ts'

export const area = defineArea([formatting, isolation, mixin, texts, components])
