import { DomainError } from '../../../kernel/domain-error';
import { requireCpe, requirePackageUrl } from './product-identifier';

const errorOf = (check: () => void): string => {
  try {
    check();
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
  return '';
};

describe('a package URL', () => {
  it.each([
    'pkg:npm/shop',
    'pkg:npm/%40angular/animation@12.3.1',
    'pkg:generic/openssl@1.1.10g?download_url=https://openssl.org/source/openssl-1.1.0g.tar.gz&checksum=sha256:de4d501267da',
    'pkg:docker/customer/dockerimage@sha256%3A244fd47e07d10?repository_url=gcr.io',
    'pkg:golang/google.golang.org/genproto@abcdef#googleapis/api/annotations',
    'pkg:deb/debian/curl@7.50.3-1?arch=i386&distro=jessie',
  ])('is accepted: %s', (purl) => {
    expect(errorOf(() => requirePackageUrl(purl))).toBe('');
  });

  it.each([
    ['shop', 'it does not begin with pkg:'],
    ['PKG:npm/shop', 'it does not begin with pkg:'],
    ['pkg://npm/shop', 'its type'],
    ['pkg:NPM/shop', 'its type'],
    ['pkg:npm', 'it needs a name'],
    ['pkg:npm/', 'it needs a name'],
    ['pkg:npm//shop', 'it needs a name'],
    ['pkg:npm/sh op', 'it needs a name'],
    ['pkg:npm/@angular/animation@1', 'it needs a name'],
    ['pkg:npm/a%2Fb', 'it needs a name'],
    ['pkg:npm/shop%4', 'it needs a name'],
    ['pkg:npm/shop@', 'its version'],
    ['pkg:npm/shop?arch', 'its qualifiers'],
    ['pkg:npm/shop?arch=', 'its qualifiers'],
    ['pkg:npm/shop?arch=a&arch=b', 'its qualifiers'],
    ['pkg:npm/shop#../x', 'its subpath'],
  ])('is refused with the reason: %s', (purl, reason) => {
    expect(errorOf(() => requirePackageUrl(purl))).toContain(reason);
  });
});

describe('a CPE', () => {
  it.each([
    'cpe:2.3:a:f5:nginx:1.28.0:*:*:*:*:*:*:*',
    'cpe:2.3:a:microsoft:internet_explorer:8.0.6001:beta:*:*:*:*:*:*',
    'cpe:2.3:a:foo\\\\bar:big\\$money_manager_2010:*:*:*:*:special:ipod_touch:80gb:*',
    'cpe:2.3:o:linux:linux_kernel:2.6.*:-:*:en-us:*:*:x86:*',
    'cpe:2.3:h:cisco:asa_5505:-:*:*:*:*:*:*:*',
    'cpe:2.3:a:hp:insight:7.4.0.??:-:*:*:online:win2003:x64:*',
  ])('is accepted: %s', (cpe) => {
    expect(errorOf(() => requireCpe(cpe))).toBe('');
  });

  it.each([
    'cpe:/a:f5:nginx:1.28.0',
    'cpe:2.3:a:f5:nginx:1.28.0:*:*:*:*:*:*',
    'cpe:2.3:a:f5:nginx:1.28.0:*:*:*:*:*:*:*:*',
    'cpe:2.3:x:f5:nginx:1.28.0:*:*:*:*:*:*:*',
    'cpe:2.3:a:f5:ngi nx:1.28.0:*:*:*:*:*:*:*',
    'cpe:2.3:a:f5::1.28.0:*:*:*:*:*:*:*',
    'cpe:2.3:a:f5:ng$inx:1.28.0:*:*:*:*:*:*:*',
    'cpe:2.3:a:f5:ng*inx:1.28.0:*:*:*:*:*:*:*',
    'cpe:2.3:a:f5:nginx:1.28.0:*:*:english:*:*:*:*',
    'nginx',
  ])('is refused: %s', (cpe) => {
    expect(errorOf(() => requireCpe(cpe))).toContain('CPE 2.3 formatted string');
  });
});
