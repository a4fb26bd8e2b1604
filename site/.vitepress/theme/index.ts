import { withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'
import NotFound from './NotFound.vue'
import OwnValue from './OwnValue.vue'
import './style.css'
import './pages.css'
import { defineSearch, searchButton } from './site-search.ts'
import TableFilter from './TableFilter.vue'

const search = () => h('site-search', { class: 'site-search', base: withBase('/'), innerHTML: searchButton })

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'nav-bar-content-before': search, 'not-found': () => h(NotFound) }),
  enhanceApp({ app }: { app: { component(name: string, component: unknown): void } }) {
    app.component('TableFilter', TableFilter)
    app.component('OwnValue', OwnValue)
    if (!import.meta.env.SSR) defineSearch()
  },
}
