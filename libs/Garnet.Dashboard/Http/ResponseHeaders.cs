// The headers that keep the page what it is. Stateless; any thread.
using Microsoft.AspNetCore.Http;

namespace Garnet.Dashboard.Http;

/// <summary>Set on every response.</summary>
internal static class ResponseHeaders
{
    // Nothing from elsewhere, nothing inline, and text becomes markup only in lit-html's templates.
    private const string ContentPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html";

    /// <summary>Sets them.</summary>
    public static void Set(HttpResponse response)
    {
        IHeaderDictionary headers = response.Headers;
        headers.ContentSecurityPolicy = ContentPolicy;
        headers.XContentTypeOptions = "nosniff";
        headers.XFrameOptions = "DENY";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
        headers["Permissions-Policy"] = "camera=(), microphone=(), geolocation=(), usb=(), payment=()";
        headers.CacheControl = "no-store";
    }
}
