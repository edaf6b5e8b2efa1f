// The rules for dev/. ESLint finds this file by its name: in an editor, and in `npm run lint:n8n` (lint/eslint.env).
import tseslint from 'typescript-eslint';

import { allowAny, typedRules } from './lint/typedRules.mjs';

export default tseslint.config(typedRules, { rules: allowAny });
