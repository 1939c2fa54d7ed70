// Servers inside a web application: the application's own endpoints, health checks, process-wide settings. Loopback, and sockets in a
// temporary folder.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Garnet.Testing;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Diagnostics.HealthChecks;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Xunit;

namespace Garnet.EndToEnd.Tests.Hosting;

[Collection(WholeProcessCollection.Name)]
public sealed class WebApplicationTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-web-").FullName;
    private readonly HttpClient _http = new() { Timeout = Patience };
    private readonly HttpClient _probe;

    public WebApplicationTests() =>
        _probe = new HttpClient(new SocketsHttpHandler { ConnectCallback = ConnectToApplicationAsync }) { Timeout = Patience };

    private string ApplicationSocket => Path.Combine(_folder, "web");

    public void Dispose()
    {
        _http.Dispose();
        _probe.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task An_application_keeps_its_own_address_beside_two_servers_and_the_process_is_left_alone()
    {
        string before = ProcessState();
        WebApplicationBuilder builder = Builder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddGarnet(options => ListenOn(options, "one"));
        builder.Services.AddGarnet("two", options => ListenOn(options, "two"));
        await using WebApplication application = builder.Build();
        application.MapGet("/value/{key}", (string key) => Exchange("one", "GET", key));
        await application.StartAsync();
        Assert.Equal(before, ProcessState());

        string address = Assert.Single(application.Urls);
        Assert.Equal("+OK\r\n", Exchange("one", "SET", "k", "1"));
        Assert.Equal("+OK\r\n", Exchange("two", "SET", "k", "2"));
        Assert.Equal("$1\r\n1\r\n", await _http.GetStringAsync($"{address}/value/k"));
        Assert.Equal("$1\r\n2\r\n", Exchange("two", "GET", "k"));
        await application.StopAsync();
        Assert.Throws<SocketException>(() => Exchange("one", "PING"));
        Assert.Throws<SocketException>(() => Exchange("two", "PING"));
        Assert.Equal(before, ProcessState());
    }

    [Fact]
    public async Task While_data_is_loading_the_application_is_live_but_not_ready()
    {
        byte[] bytes = SaveSome();
        string snapshot = Path.Combine(_folder, "dump.rdb");
        File.Delete(snapshot);
        Assert.Equal(0, ClientProcess.Run("/usr/bin/env", ["mkfifo", snapshot]).ExitCode);
        await using WebApplication application = WithHealth(Builder());
        Task started = application.StartAsync();
        // Opening a FIFO waits for its reader, with a timeout.
        await using (
            FileStream pipe = await Task.Run(() =>
                    new FileStream(snapshot, FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0)
                )
                .WaitAsync(Patience)
        )
        {
            await pipe.WriteAsync(bytes.AsMemory(0, bytes.Length / 2)).AsTask().WaitAsync(Patience);
            await AwaitHealthyAsync("live");
            Assert.Equal((HttpStatusCode.ServiceUnavailable, "Unhealthy"), await ProbeAsync("ready"));
            Assert.StartsWith(
                "loading: ",
                application.Services.GetRequiredService<GarnetServer>().NotReadyReason,
                StringComparison.Ordinal
            );
            Assert.False(started.IsCompleted);
            await pipe.WriteAsync(bytes.AsMemory(bytes.Length / 2)).AsTask().WaitAsync(Patience);
        }

        await started.WaitAsync(Patience);
        await AwaitHealthyAsync("live");
        await AwaitHealthyAsync("ready");
        Assert.Equal(":3000\r\n", Exchange("s", "DBSIZE"));
        await application.StopAsync();
    }

    [Fact]
    public async Task An_application_whose_server_cannot_save_is_live_but_not_ready()
    {
        await using WebApplication application = WithHealth(Builder());
        await application.StartAsync();
        await AwaitHealthyAsync("ready");
        // A folder with that name prevents the save.
        string obstacle = Path.Combine(_folder, "dump.rdb");
        Directory.CreateDirectory(obstacle);
        Assert.StartsWith("-ERR", Exchange("s", "SAVE"), StringComparison.Ordinal);
        await AwaitHealthyAsync("live");
        Assert.Equal((HttpStatusCode.ServiceUnavailable, "Unhealthy"), await ProbeAsync("ready"));
        Assert.StartsWith(
            "the last snapshot failed: ",
            application.Services.GetRequiredService<GarnetServer>().NotReadyReason,
            StringComparison.Ordinal
        );
        Directory.Delete(obstacle);
        Assert.Equal("+OK\r\n", Exchange("s", "SAVE"));
        await AwaitHealthyAsync("ready");
        await application.StopAsync();
    }

    [Fact]
    public async Task A_server_that_no_longer_answers_is_not_live()
    {
        await using WebApplication application = WithHealth(Builder());
        await application.StartAsync();
        await AwaitHealthyAsync("live");
        // Its endpoint has disappeared, which the check cannot distinguish from hanging threads.
        File.Delete(Path.Combine(_folder, "s"));
        Assert.Equal((HttpStatusCode.ServiceUnavailable, "Unhealthy"), await ProbeAsync("live"));
        await application.StopAsync();
    }

    private static string ProcessState()
    {
        ThreadPool.GetMinThreads(out int min, out int minIO);
        ThreadPool.GetMaxThreads(out int max, out int maxIO);
        IOrderedEnumerable<string> variables = Environment
            .GetEnvironmentVariables()
            .Cast<System.Collections.DictionaryEntry>()
            .Select(static pair => $"{pair.Key}={pair.Value}")
            .Order(StringComparer.Ordinal);
        return string.Join(
            '\n',
            [
                $"{min} {minIO} {max} {maxIO}",
                Environment.CurrentDirectory,
                .. variables,
                $"{Console.Out.GetHashCode()} {Console.Error.GetHashCode()}",
            ]
        );
    }

    private static WebApplicationBuilder Builder()
    {
        WebApplicationBuilder builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        return builder;
    }

    private WebApplication WithHealth(WebApplicationBuilder builder)
    {
        builder.WebHost.UseUrls($"http://unix:{ApplicationSocket}");
        // The application's endpoint opens in parallel with the server's, so that probes are answered meanwhile.
        builder.Services.Configure<HostOptions>(static options => options.ServicesStartConcurrently = true);
        builder.Services.AddGarnet(options => ListenOn(options, "s"));
        builder.Services.AddHealthChecks().AddGarnet();
        WebApplication application = builder.Build();
        foreach (string tag in new[] { "live", "ready" })
            application.MapHealthChecks($"/healthz/{tag}", new HealthCheckOptions { Predicate = check => check.Tags.Contains(tag) });
        return application;
    }

    private byte[] SaveSome()
    {
        using (var server = TestServer.Start(options => options.Dir = _folder))
        {
            using RespExchange client = server.Connect();
            for (int i = 0; i < 3000; i++)
                client.ExecuteText("SET", "key:" + i, new string('v', 400));
            client.ExecuteText("SAVE");
        }

        return File.ReadAllBytes(Path.Combine(_folder, "dump.rdb"));
    }

    // The application's endpoint opens some time after the start has begun.
    // A check gives up after some seconds, which a busy machine may need.
    private async Task AwaitHealthyAsync(string check)
    {
        long start = Stopwatch.GetTimestamp();
        (HttpStatusCode Status, string Text) seen;
        while ((seen = await ProbeAsync(check)) != (HttpStatusCode.OK, "Healthy"))
            Assert.True(Stopwatch.GetElapsedTime(start) < Patience, $"{check}: {seen}");
    }

    private async Task<(HttpStatusCode Status, string Text)> ProbeAsync(string check)
    {
        long start = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                using HttpResponseMessage response = await _probe.GetAsync($"http://application/healthz/{check}");
                return (response.StatusCode, await response.Content.ReadAsStringAsync());
            }
            catch (HttpRequestException e) when (e.InnerException is SocketException && Stopwatch.GetElapsedTime(start) < Patience)
            {
                await Task.Delay(10);
            }
        }
    }

    private async ValueTask<Stream> ConnectToApplicationAsync(SocketsHttpConnectionContext context, CancellationToken cancellationToken)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            await socket.ConnectAsync(new UnixDomainSocketEndPoint(ApplicationSocket), cancellationToken);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private void ListenOn(GarnetOptions options, string socket) => (options.Port, options.Dir, options.UnixSocket) = (0, _folder, socket);

    private string Exchange(string socket, params string[] command)
    {
        using var client = RespExchange.Connect(new UnixDomainSocketEndPoint(Path.Combine(_folder, socket)));
        return client.ExecuteText(command);
    }
}
