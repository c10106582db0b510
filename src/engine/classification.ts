/** The official names of the weaknesses that built-in checks find. Checks in YAML may name others. */
const CWE_NAMES: ReadonlyMap<number, string> = new Map([
  [22, "Improper Limitation of a Pathname to a Restricted Directory ('Path Traversal')"],
  [79, "Improper Neutralization of Input During Web Page Generation ('Cross-site Scripting')"],
  [80, 'Improper Neutralization of Script-Related HTML Tags in a Web Page (Basic XSS)'],
  [78, "Improper Neutralization of Special Elements used in an OS Command ('OS Command Injection')"],
  [89, "Improper Neutralization of Special Elements used in an SQL Command ('SQL Injection')"],
  [113, "Improper Neutralization of CRLF Sequences in HTTP Headers ('HTTP Request/Response Splitting')"],
  [200, 'Exposure of Sensitive Information to an Unauthorized Actor'],
  [209, 'Generation of Error Message Containing Sensitive Information'],
  [285, 'Improper Authorization'],
  [290, 'Authentication Bypass by Spoofing'],
  [295, 'Improper Certificate Validation'],
  [297, 'Improper Validation of Certificate with Host Mismatch'],
  [298, 'Improper Validation of Certificate Expiration'],
  [306, 'Missing Authentication for Critical Function'],
  [319, 'Cleartext Transmission of Sensitive Information'],
  [324, 'Use of a Key Past its Expiration Date'],
  [326, 'Inadequate Encryption Strength'],
  [327, 'Use of a Broken or Risky Cryptographic Algorithm'],
  [328, 'Use of Weak Hash'],
  [346, 'Origin Validation Error'],
  [347, 'Improper Verification of Cryptographic Signature'],
  [352, 'Cross-Site Request Forgery (CSRF)'],
  [384, 'Session Fixation'],
  [489, 'Active Debug Code'],
  [497, 'Exposure of Sensitive System Information to an Unauthorized Control Sphere'],
  [522, 'Insufficiently Protected Credentials'],
  [523, 'Unprotected Transport of Credentials'],
  [524, 'Use of Cache Containing Sensitive Information'],
  [527, 'Exposure of Version-Control Repository to an Unauthorized Control Sphere'],
  [530, 'Exposure of Backup File to an Unauthorized Control Sphere'],
  [532, 'Insertion of Sensitive Information into Log File'],
  [538, 'Insertion of Sensitive Information into Externally-Accessible File or Directory'],
  [540, 'Inclusion of Sensitive Information in Source Code'],
  [548, 'Exposure of Information Through Directory Listing'],
  [552, 'Files or Directories Accessible to External Parties'],
  [598, 'Use of GET Request Method With Sensitive Query Strings'],
  [601, "URL Redirection to Untrusted Site ('Open Redirect')"],
  [613, 'Insufficient Session Expiration'],
  [614, "Sensitive Cookie in HTTPS Session Without 'Secure' Attribute"],
  [639, 'Authorization Bypass Through User-Controlled Key'],
  [672, 'Operation on a Resource after Expiration or Release'],
  [693, 'Protection Mechanism Failure'],
  [862, 'Missing Authorization'],
  [918, 'Server-Side Request Forgery (SSRF)'],
  [942, 'Permissive Cross-domain Security Policy with Untrusted Domains'],
  [1004, "Sensitive Cookie Without 'HttpOnly' Flag"],
  [1021, 'Improper Restriction of Rendered UI Layers or Frames'],
  [1275, 'Sensitive Cookie with Improper SameSite Attribute'],
  [1336, 'Improper Neutralization of Special Elements Used in a Template Engine'],
]);

/**
 * The categories of the OWASP Top 10 that built-in checks belong to: the one to which OWASP maps the CWE of the check, or
 * the one whose description names its case.
 */
const OWASP_CATEGORIES = {
  'A01:2021': 'Broken Access Control',
  'A02:2021': 'Cryptographic Failures',
  'A03:2021': 'Injection',
  'A05:2021': 'Security Misconfiguration',
  'A07:2021': 'Identification and Authentication Failures',
  'A09:2021': 'Security Logging and Monitoring Failures',
  'A10:2021': 'Server-Side Request Forgery (SSRF)',
  'A01:2025': 'Broken Access Control',
  'A02:2025': 'Security Misconfiguration',
  'A04:2025': 'Cryptographic Failures',
  'A05:2025': 'Injection',
  'A07:2025': 'Authentication Failures',
  'A09:2025': 'Security Logging and Alerting Failures',
} as const;

export type OwaspCategory = keyof typeof OWASP_CATEGORIES;

const CONFIGURATION = '02-Configuration_and_Deployment_Management_Testing';

/** The tests of the OWASP Web Security Testing Guide 4.2 that built-in checks carry out, with their pages. */
const WSTG_TESTS = {
  'WSTG-INFO-02': '01-Information_Gathering/02-Fingerprint_Web_Server',
  'WSTG-INFO-08': '01-Information_Gathering/08-Fingerprint_Web_Application_Framework',
  'WSTG-CONF-03': `${CONFIGURATION}/03-Test_File_Extensions_Handling_for_Sensitive_Information`,
  'WSTG-CONF-04': `${CONFIGURATION}/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information`,
  'WSTG-CONF-05': `${CONFIGURATION}/05-Enumerate_Infrastructure_and_Application_Admin_Interfaces`,
  'WSTG-CONF-07': `${CONFIGURATION}/07-Test_HTTP_Strict_Transport_Security`,
  'WSTG-CONF-08': `${CONFIGURATION}/08-Test_RIA_Cross_Domain_Policy`,
  'WSTG-CONF-10': `${CONFIGURATION}/10-Test_for_Subdomain_Takeover`,
  'WSTG-ATHN-01': '04-Authentication_Testing/01-Testing_for_Credentials_Transported_over_an_Encrypted_Channel',
  'WSTG-ATHN-06': '04-Authentication_Testing/06-Testing_for_Browser_Cache_Weaknesses',
  'WSTG-ATHZ-01': '05-Authorization_Testing/01-Testing_Directory_Traversal_File_Include',
  'WSTG-ATHZ-02': '05-Authorization_Testing/02-Testing_for_Bypassing_Authorization_Schema',
  'WSTG-ATHZ-04': '05-Authorization_Testing/04-Testing_for_Insecure_Direct_Object_References',
  'WSTG-SESS-01': '06-Session_Management_Testing/01-Testing_for_Session_Management_Schema',
  'WSTG-SESS-02': '06-Session_Management_Testing/02-Testing_for_Cookies_Attributes',
  'WSTG-SESS-03': '06-Session_Management_Testing/03-Testing_for_Session_Fixation',
  'WSTG-SESS-04': '06-Session_Management_Testing/04-Testing_for_Exposed_Session_Variables',
  'WSTG-SESS-05': '06-Session_Management_Testing/05-Testing_for_Cross_Site_Request_Forgery',
  'WSTG-SESS-06': '06-Session_Management_Testing/06-Testing_for_Logout_Functionality',
  'WSTG-INPV-01': '07-Input_Validation_Testing/01-Testing_for_Reflected_Cross_Site_Scripting',
  'WSTG-INPV-02': '07-Input_Validation_Testing/02-Testing_for_Stored_Cross_Site_Scripting',
  'WSTG-INPV-05': '07-Input_Validation_Testing/05-Testing_for_SQL_Injection',
  'WSTG-INPV-12': '07-Input_Validation_Testing/12-Testing_for_Command_Injection',
  'WSTG-INPV-15': '07-Input_Validation_Testing/15-Testing_for_HTTP_Splitting_Smuggling',
  'WSTG-INPV-18': '07-Input_Validation_Testing/18-Testing_for_Server-side_Template_Injection',
  'WSTG-INPV-19': '07-Input_Validation_Testing/19-Testing_for_Server-Side_Request_Forgery',
  'WSTG-ERRH-01': '08-Testing_for_Error_Handling/01-Testing_For_Improper_Error_Handling',
  'WSTG-ERRH-02': '08-Testing_for_Error_Handling/02-Testing_for_Stack_Traces',
  'WSTG-CRYP-01': '09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
  'WSTG-CRYP-03': '09-Testing_for_Weak_Cryptography/03-Testing_for_Sensitive_Information_Sent_via_Unencrypted_Channels',
  'WSTG-CLNT-03': '11-Client-side_Testing/03-Testing_for_HTML_Injection',
  'WSTG-CLNT-04': '11-Client-side_Testing/04-Testing_for_Client-side_URL_Redirect',
  'WSTG-CLNT-07': '11-Client-side_Testing/07-Testing_Cross_Origin_Resource_Sharing',
  'WSTG-CLNT-09': '11-Client-side_Testing/09-Testing_for_Clickjacking',
} as const;

export type WstgTest = keyof typeof WSTG_TESTS;

/** An entry of a public list of weaknesses or tests. */
export interface Standard {
  readonly id: string;
  /** Null for a weakness that no built-in check finds. */
  readonly name: string | null;
  readonly url: string;
}

export const cwe = (number: number): Standard => ({
  id: `CWE-${number}`,
  name: CWE_NAMES.get(number) ?? null,
  url: `https://cwe.mitre.org/data/definitions/${number}.html`,
});

export function owaspCategory(id: OwaspCategory): Standard {
  const name = OWASP_CATEGORIES[id];
  const [number, year] = id.split(':');
  const edition = year === '2021' ? '' : `${year}/`;
  const page = name.replaceAll(' ', '_').replace('(', '%28').replace(')', '%29');
  return { id, name, url: `https://owasp.org/Top10/${edition}${number}_${year}-${page}/` };
}

const WSTG = 'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing';

export function wstgTest(id: WstgTest): Standard {
  const page = WSTG_TESTS[id];
  const name = page.replace(/^.*\/[\d.]+-/, '').replaceAll('_', ' ');
  return { id, name, url: `${WSTG}/${page}` };
}
