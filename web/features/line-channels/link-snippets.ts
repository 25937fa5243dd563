/** Who has signed in goes back to LINE with a nonce that proves it, on the server of the site, where the secret may be. */
export const linkSnippets = {
  'Node.js': `import { createHmac, randomBytes } from 'node:crypto';

const text = [
  Buffer.from(String(customer.id)).toString('base64url'),
  Math.floor(Date.now() / 1000),
  randomBytes(16).toString('base64url'),
].join('.');
const proof = createHmac('sha512', process.env.KOTAE_SECRET)
  .update(text)
  .digest('base64url');
const query = new URLSearchParams({ linkToken, nonce: \`\${text}.\${proof}\` });
response.redirect(\`https://access.line.me/dialog/bot/accountLink?\${query}\`);`,
  PHP: `$base64url = fn ($bytes) => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');

$text = implode('.', [
    $base64url((string) $customer->id),
    time(),
    $base64url(random_bytes(16)),
]);
$proof = $base64url(hash_hmac('sha512', $text, getenv('KOTAE_SECRET'), true));
header('Location: https://access.line.me/dialog/bot/accountLink?' . http_build_query([
    'linkToken' => $linkToken,
    'nonce' => "$text.$proof",
]));`,
};
