// Refuses requests that a page of somebody else makes a browser send. Stateless; any thread.
using System.Net;
using Microsoft.AspNetCore.Http;

namespace Garnet.Dashboard.Http;

/// <summary>
/// A browser sends requests for whatever page is open in it. <c>Host</c> tells a name that somebody has made to mean this machine (DNS
/// rebinding; an address cannot be rebound), <c>Origin</c> and <c>Sec-Fetch-Site</c> tell whose page asks.
/// </summary>
internal static class RequestCheck
{
    private static readonly HashSet<string> OfProxies = new(StringComparer.OrdinalIgnoreCase)
    {
        "Forwarded",
        "Via",
        "X-Real-IP",
        "X-Client-IP",
        "X-Cluster-Client-IP",
        "True-Client-IP",
        "CF-Connecting-IP",
    };

    /// <summary>Why a request is refused; null when it is not.</summary>
    public static string? Refusal(HttpContext context, DashboardSettings settings, bool requiresLogin)
    {
        HttpRequest request = context.Request;
        if (!IsOurs(request.Host, settings))
            return OtherName(request.Host);
        if (!IsOfThisPage(request))
            return "Another page has sent this request.";
        return requiresLogin || IsLocal(context) || IsAuthenticated(context, settings)
            ? null
            : "No password is set, so the dashboard serves this machine alone. Set requirepass, or a password of the user default.";
    }

    /// <summary>Whether the peer and the name by which it asks are this machine's, with no proxy between that others could use.</summary>
    public static bool IsLocal(HttpContext context)
    {
        HttpRequest request = context.Request;
        return context.Connection.RemoteIpAddress is { } peer
            && IPAddress.IsLoopback(peer)
            && IsLoopbackName(request.Host.Host)
            // As proxies speak that add no header by themselves; browsers are past it.
            && !HttpProtocol.IsHttp10(request.Protocol)
            && !request.Headers.Keys.Any(IsOfProxy);
    }

    // X-Original-For is what ASP.NET makes of X-Forwarded-For once it has believed it.
    private static bool IsOfProxy(string header) =>
        OfProxies.Contains(header)
        || header.StartsWith("X-Forwarded-", StringComparison.OrdinalIgnoreCase)
        || header.StartsWith("X-Original-", StringComparison.OrdinalIgnoreCase);

    private static bool IsAuthenticated(HttpContext context, DashboardSettings settings) =>
        settings.IsEmbedded && context.User.Identity is { IsAuthenticated: true };

    private static bool IsOurs(HostString host, DashboardSettings settings) =>
        host.HasValue
        && (
            settings.AnyHost
            || IsAddress(host.Host)
            || IsLoopbackName(host.Host)
            || settings.Hosts.Contains(host.Host, StringComparer.OrdinalIgnoreCase)
        );

    private static bool IsAddress(string name) => IPAddress.TryParse(name, out _);

    private static bool IsLoopbackName(string name) =>
        name.Equals("localhost", StringComparison.OrdinalIgnoreCase)
        || (IPAddress.TryParse(name, out IPAddress? address) && IPAddress.IsLoopback(address));

    private static bool IsOfThisPage(HttpRequest request)
    {
        bool isRead = HttpMethods.IsGet(request.Method) || HttpMethods.IsHead(request.Method);
        string origin = request.Headers.Origin.ToString();
        if (origin.Length == 0 && !isRead)
            return false;
        if (origin.Length > 0 && !IsSameOrigin(origin, request))
            return false;
        // A link may lead to the page itself; what the page asks for comes from the page.
        string site = request.Headers["Sec-Fetch-Site"].ToString();
        return site is "" or "same-origin" or "none" || (isRead && request.Headers["Sec-Fetch-Mode"] == "navigate");
    }

    // An origin is a scheme, a host and a port, and nothing else. Behind a proxy that ends TLS the scheme differs, but a page that came
    // without encryption, which anyone on the way may have made, is never that of an encrypted dashboard.
    private static bool IsSameOrigin(string origin, HttpRequest request) =>
        Uri.TryCreate(origin, UriKind.Absolute, out Uri? uri)
        && (uri.Scheme == "https" || (uri.Scheme == "http" && !IsHttps(request)))
        && request.Host.HasValue
        && string.Equals(origin, $"{uri.Scheme}://{Normal(request.Host, uri.Scheme)}", StringComparison.OrdinalIgnoreCase);

    private static bool IsHttps(HttpRequest request) =>
        request.IsHttps || request.Headers["X-Forwarded-Proto"].ToString().Equals("https", StringComparison.OrdinalIgnoreCase);

    // Uri leaves the scheme's own port out.
    private static string Normal(HostString host, string scheme) =>
        host.Port == (scheme == "https" ? 443 : 80) ? new HostString(host.Host).ToString() : host.ToString();

    private static string OtherName(HostString host) =>
        $"The dashboard does not answer to the name '{Printable(host.Host)}'. Use the server's address, or name it in dashboard-hosts.";

    private static string Printable(string text) =>
        new([.. text.Take(100).Select(static letter => char.IsAsciiLetterOrDigit(letter) || letter is '.' or '-' ? letter : '?')]);
}
