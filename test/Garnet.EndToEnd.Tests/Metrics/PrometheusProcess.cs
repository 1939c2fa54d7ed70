// A Prometheus server started by a test as a child process. One owner, which disposes of it.
using System.Diagnostics;
using System.Net;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Metrics;

/// <summary>Scrapes servers each second; killed on disposal.</summary>
internal sealed class PrometheusProcess : IDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromMinutes(2);

    private readonly Process _process;

    private PrometheusProcess(Process process, Uri address)
    {
        _process = process;
        Address = address;
    }

    /// <summary>Where it answers queries.</summary>
    public Uri Address { get; }

    /// <summary>Starts it, and waits until it is ready.</summary>
    /// <param name="folder">For its configuration and data.</param>
    /// <param name="targets">The metric endpoints to scrape.</param>
    public static PrometheusProcess Start(string folder, IReadOnlyList<EndPoint> targets)
    {
        string configuration = Path.Combine(folder, "prometheus.yml");
        File.WriteAllText(
            configuration,
            $"""
            global: {"{"} scrape_interval: 1s {"}"}
            scrape_configs:
              - job_name: garnet
                static_configs:
                  - targets: [{string.Join(", ", targets.Select(static target => $"'{target}'"))}]
            """
        );
        var address = new Uri($"http://127.0.0.1:{LoopbackPort.Free()}/");
        string[] arguments =
        [
            $"--config.file={configuration}",
            $"--storage.tsdb.path={Path.Combine(folder, "data")}",
            $"--web.listen-address={address.Authority}",
        ];
        Process process = Process.Start(new ProcessStartInfo(Peers.Find("prometheus"), arguments) { RedirectStandardError = true })!;
        var log = new List<string>();
        process.ErrorDataReceived += (_, line) => log.Add(line.Data ?? "");
        process.BeginErrorReadLine();
        var prometheus = new PrometheusProcess(process, address);
        try
        {
            prometheus.WaitUntilReady();
            return prometheus;
        }
        catch (Exception e)
        {
            prometheus.Dispose();
            throw new InvalidOperationException(string.Join('\n', log), e);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }

    private void WaitUntilReady()
    {
        using var http = new HttpClient();
        long begun = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                using var request = new HttpRequestMessage(HttpMethod.Get, new Uri(Address, "-/ready"));
                using HttpResponseMessage response = http.Send(request);
                if (response.IsSuccessStatusCode)
                    return;
            }
            catch (HttpRequestException) when (!_process.HasExited && Stopwatch.GetElapsedTime(begun) < StartTimeout) { }

            if (_process.HasExited || Stopwatch.GetElapsedTime(begun) > StartTimeout)
                throw new TimeoutException("Prometheus is not ready.");
            Thread.Sleep(50);
        }
    }
}
