{{- define "assay-beacon.selector" -}}
{ app.kubernetes.io/name: assay-beacon, app.kubernetes.io/instance: {{ .root.Release.Name | quote }}, app.kubernetes.io/component: {{ .component }} }
{{- end }}

{{- define "assay-beacon.secret" -}}
{{ required "Set credentials.existingSecret: a Secret with the key registration-token." .Values.credentials.existingSecret }}
{{- end }}

{{- define "assay-beacon.pod" -}}
enableServiceLinks: false
imagePullSecrets: {{ toYaml .Values.image.pullSecrets | nindent 2 }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "assay-beacon.container" -}}
image: {{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
resources: {{ toYaml .Values.resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "assay-beacon.env" -}}
- { name: ASSAY_URL, value: {{ required "Set url: the base URL of the service." .Values.url | quote }} }
{{- if .Values.ca }}
- { name: ASSAY_CA_FILE, value: /run/config/assay/ca.crt }
{{- end }}
{{- range $name, $value := .Values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "assay-beacon.caMount" -}}
{{- if .Values.ca }}
- { name: ca, mountPath: /run/config/assay, readOnly: true }
{{- end }}
{{- end }}

{{- define "assay-beacon.caVolume" -}}
{{- if .Values.ca }}
- name: ca
  configMap: { name: {{ .Values.ca }} }
{{- end }}
{{- end }}
