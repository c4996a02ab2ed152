// A provider of OpenID Connect for tests: the certified package `oidc-provider`, with a front door
// that lets in whoever was named last, and bent tokens if asked for.
//
//     node provider.mjs FOLDER_WITH_NODE_MODULES RETURN_ADDRESS
//
// It prints its issuer. `/control?account=…&mode=…` says who comes next and what is bent.
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { generateKeyPairSync } from 'node:crypto';
import { pathToFileURL } from 'node:url';

const [folder, back] = process.argv.slice(2);
const require = createRequire(`${folder}/package.json`);
const load = async (name) => import(pathToFileURL(require.resolve(name)));
const { Provider } = await load('oidc-provider');
const { SignJWT, decodeJwt } = await load('jose');

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = { ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' };
let account = 'nobody';
let mode = '';

const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

const client = (client_id) => ({ client_id, client_secret: `secret-of-${client_id}`, redirect_uris: [back] });
const provider = new Provider(issuer, {
  clients: [client('judge'), client('other')],
  jwks: { keys: [key] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  // `NAME` has a verified address, `NAME-unverified` one that is not. With the mode `alias` the address is
  // another one.
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      name: `The ${id}`,
      email: `${id.replace('-unverified', '')}@${mode === 'alias' ? 'alias.' : ''}example.org`,
      email_verified: !id.endsWith('-unverified'),
    }),
  }),
  // Nobody is asked what they allow.
  loadExistingGrant: async (ctx) => {
    const grant = new ctx.oidc.provider.Grant({
      clientId: ctx.oidc.client.clientId,
      accountId: ctx.oidc.session.accountId,
    });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
});

// A token with other claims than the provider's, signed with its key.
async function bent(token) {
  const claims = decodeJwt(token);
  const now = Math.floor(Date.now() / 1000);
  if (mode === 'audience') claims.aud = 'other';
  if (mode === 'issuer') claims.iss = 'https://elsewhere.example';
  if (mode === 'expired') Object.assign(claims, { iat: now - 7200, exp: now - 3600 });
  const signer = mode === 'key' ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey : privateKey;
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test' }).sign(signer);
}

provider.use(async (ctx, next) => {
  await next();
  if (ctx.path === '/token' && mode !== '' && ctx.body?.id_token) {
    ctx.body.id_token = await bent(ctx.body.id_token);
  }
});

const answer = provider.callback();
server.on('request', async (request, response) => {
  const url = new URL(request.url, issuer);
  if (url.pathname === '/control') {
    account = url.searchParams.get('account');
    mode = url.searchParams.get('mode') ?? '';
    response.end('ok');
  } else if (url.pathname.startsWith('/interaction/')) {
    await provider.interactionFinished(request, response, { login: { accountId: account } });
  } else {
    await answer(request, response);
  }
});
console.log(issuer);
