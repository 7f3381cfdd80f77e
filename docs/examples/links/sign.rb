require 'openssl'
require 'erb'

def sign_link(base, key_id, secret, file, parameters)
  # As encodeURIComponent in JavaScript.
  encode = ->(text) { ERB::Util.url_encode(text.to_s).gsub(/%(21|27|28|29|2A)/) { $1.hex.chr } }
  query = parameters.sort_by { |name, _| name.to_s }.map { |name, value| "#{encode[name]}=#{encode[value]}" }.join('&')
  signature = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{file}?#{query}")
  "#{base}/r/#{key_id}/#{signature}/#{file}?#{query}"
end
