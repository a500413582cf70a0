import js from "@eslint/js";
import globals from "globals";

export default [
	js.configs.recommended,
	{
		languageOptions: { globals: { ...globals.browser, Go: "readonly", marginaliaServe: "writable", MiniSearch: "readonly" } },
		rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error", "no-eval": "error", "no-implied-eval": "error", "no-new-func": "error", complexity: ["error", 14] },
	},
];
