// A browser without a screen: keeps the cookie and the page's token. One test, one thread at a time.
using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;

namespace Garnet.Dashboard.Tests;

/// <summary>Sends what the page's script sends.</summary>
internal sealed class Browser : IDisposable
{
    private readonly HttpClient _http;

    public Browser(Uri address, HttpMessageHandler? handler = null)
    {
        Address = address;
        _http = new HttpClient(handler ?? new SocketsHttpHandler { UseCookies = false, AllowAutoRedirect = false })
        {
            Timeout = TimeSpan.FromSeconds(30),
        };
    }

    public Uri Address { get; }

    public string? Cookie { get; set; }

    public string? Token { get; set; }

    public string? Origin { get; set; } = "own";

    public Dictionary<string, string> Headers { get; } = [];

    public async Task<HttpResponseMessage> SendAsync(HttpMethod method, string path, string? body = null, bool streams = false)
    {
        using var request = new HttpRequestMessage(method, new Uri(Address, path));
        if (Cookie is not null)
            request.Headers.TryAddWithoutValidation("Cookie", Cookie);
        if (Token is not null)
            request.Headers.TryAddWithoutValidation("X-Garnet-Token", Token);
        if (Origin is not null && method != HttpMethod.Get)
            request.Headers.TryAddWithoutValidation("Origin", Origin == "own" ? Address.GetLeftPart(UriPartial.Authority) : Origin);
        foreach ((string name, string value) in Headers)
            request.Headers.TryAddWithoutValidation(name, value);
        if (body is not null)
            request.Content = new StringContent(body, Encoding.UTF8, new MediaTypeHeaderValue("application/json"));
        return await _http.SendAsync(
            request,
            streams ? HttpCompletionOption.ResponseHeadersRead : HttpCompletionOption.ResponseContentRead
        );
    }

    public async Task<HttpStatusCode> StatusAsync(HttpMethod method, string path, string? body = null)
    {
        using HttpResponseMessage response = await SendAsync(method, path, body);
        return response.StatusCode;
    }

    public async Task<JsonElement> GetAsync(string path)
    {
        using HttpResponseMessage response = await SendAsync(HttpMethod.Get, path);
        return await ReadAsync(response);
    }

    public async Task<JsonElement> PostAsync(string path, object body)
    {
        using HttpResponseMessage response = await SendAsync(HttpMethod.Post, path, JsonSerializer.Serialize(body));
        return await ReadAsync(response);
    }

    /// <summary>Logs in, and keeps both secrets.</summary>
    public async Task<HttpResponseMessage> LogInAsync(string user = "", string password = "")
    {
        HttpResponseMessage response = await SendAsync(HttpMethod.Post, "api/login", JsonSerializer.Serialize(new { user, password }));
        if (response.StatusCode == HttpStatusCode.OK)
        {
            Cookie = response.Headers.GetValues("Set-Cookie").Single().Split(';')[0];
            Token = (await ReadAsync(response)).GetProperty("token").GetString();
        }

        return response;
    }

    public void Dispose() => _http.Dispose();

    private static async Task<JsonElement> ReadAsync(HttpResponseMessage response)
    {
        using var document = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
        return document.RootElement.Clone();
    }
}
