// A server process under attack, observed from outside: liveness, memory, processor time, log. One thread.
using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Xunit;

namespace Garnet.Testing;

/// <summary>Starts `garnet` as a child process and observes it.</summary>
internal sealed class FaultTarget : IDisposable
{
    private const long Megabyte = 1 << 20;
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly GarnetProcess _process;
    private readonly string _password;

    public FaultTarget(string transport, params string[] arguments)
    {
        int password = Array.IndexOf(arguments, "--requirepass");
        _password = password < 0 ? "" : arguments[password + 1];
        _process = GarnetProcess.Start(["--transport", transport, .. arguments]);
    }

    /// <summary>The process.</summary>
    public GarnetProcess Process => _process;

    /// <summary>Resident memory in bytes.</summary>
    public long ResidentBytes => ProcessReadings.ResidentBytes(_process.Id);

    /// <summary>The highest resident memory since <see cref="ResetPeak"/>, in bytes.</summary>
    public long PeakResidentBytes => ProcessReadings.PeakResidentBytes(_process.Id);

    /// <summary>Processor time of all its threads since the start.</summary>
    public TimeSpan ProcessorTime => ProcessReadings.ProcessorTime(_process.Id);

    /// <summary>Opens a connection, authenticated if the server has a password.</summary>
    public RespExchange Connect()
    {
        RespExchange client = _process.Connect();
        if (_password.Length > 0)
            Assert.Equal("+OK\r\n", client.ExecuteText("AUTH", _password));
        return client;
    }

    /// <summary>Resets the peak of resident memory.</summary>
    public void ResetPeak() => ProcessReadings.ResetPeak(_process.Id);

    /// <summary>Opens a raw socket, for clients that misbehave.</summary>
    public Socket ConnectSocket()
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)
        {
            ReceiveTimeout = 120_000,
            SendTimeout = 120_000,
        };
        socket.Connect(_process.EndPoint);
        return socket;
    }

    /// <summary>Fails unless the server accepts and serves a new client.</summary>
    public void AssertAlive()
    {
        using RespExchange client = Connect();
        Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
    }

    /// <summary>Waits for a message in the server's log, which is written slightly after the event.</summary>
    public void AwaitLog(string text) =>
        Await(
            () => _process.Output.Contains(text, StringComparison.Ordinal),
            () => $"The log lacks '{text}':{Environment.NewLine}{_process.Output}"
        );

    /// <summary>Stops the server with SIGTERM; fails if it does not exit cleanly or if its log contains an exception.</summary>
    public void AssertEndsWell()
    {
        _process.Signal("TERM");
        Assert.Equal(0, _process.WaitForExit(Patience));
        string output = _process.Output;
        int complaint = output.IndexOf("xception", StringComparison.Ordinal);
        Assert.True(
            complaint < 0,
            complaint < 0
                ? ""
                : output.Substring(Math.Max(0, complaint - 500), Math.Min(3000, output.Length - Math.Max(0, complaint - 500)))
        );
    }

    /// <summary>A numeric field of INFO.</summary>
    public long Info(string field)
    {
        using RespExchange client = Connect();
        return client.InfoNumber(field);
    }

    /// <summary>Waits until a condition holds; fails after half a minute.</summary>
    public static void Await(Func<bool> condition, Func<string> failure)
    {
        long start = Stopwatch.GetTimestamp();
        while (!condition())
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < Patience, failure());
            Thread.Sleep(20);
        }
    }

    /// <summary>Waits until resident memory is below a bound again.</summary>
    public void AwaitResident(long bound) =>
        Await(() => ResidentBytes <= bound, () => $"{ResidentBytes / Megabyte} MB resident, expected at most {bound / Megabyte} MB");

    /// <summary>Encodes a request repeatedly, for pipelines.</summary>
    public static byte[] Pipeline(int repetitions, params string[] arguments)
    {
        byte[] one = RespExchange.Encode([.. arguments.Select(Encoding.Latin1.GetBytes)]);
        byte[] all = new byte[one.Length * repetitions];
        for (int i = 0; i < repetitions; i++)
            one.CopyTo(all, i * one.Length);
        return all;
    }

    /// <inheritdoc/>
    public void Dispose() => _process.Dispose();
}
