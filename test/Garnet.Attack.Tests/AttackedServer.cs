// The server under attack, Garnet or Valkey, with what can be measured of it from outside. One thread.
using System.Net;
using Garnet.Testing;
using Xunit;

// The attacks measure processor time, memory and waiting time of whole processes, so they run one after the other.
[assembly: CollectionBehavior(DisableTestParallelization = true)]

namespace Garnet.Attack.Tests;

/// <summary>
/// One process under attack. The same attack runs on Garnet and, where it is installed, on Valkey, so that the figures can be compared.
/// </summary>
internal sealed class AttackedServer : IDisposable
{
    /// <summary>The peer that decides what an attack may cost.</summary>
    public const string Valkey = "valkey-server";

    private readonly IDisposable _process;

    private AttackedServer(string name, IDisposable process, int id, EndPoint endPoint, string folder) =>
        (Name, _process, Id, EndPoint, Folder) = (name, process, id, endPoint, folder);

    /// <summary>"garnet" or "valkey", for reports.</summary>
    public string Name { get; }

    /// <summary>The operating system's number of the process.</summary>
    public int Id { get; }

    /// <summary>Its Unix socket.</summary>
    public EndPoint EndPoint { get; }

    /// <summary>Its working folder.</summary>
    public string Folder { get; }

    /// <summary>Resident memory in bytes.</summary>
    public long ResidentBytes => ProcessReadings.ResidentBytes(Id);

    /// <summary>The highest resident memory since <see cref="ResetPeak"/>, in bytes.</summary>
    public long PeakResidentBytes => ProcessReadings.PeakResidentBytes(Id);

    /// <summary>Processor time of all threads, in hundredths of a second.</summary>
    public TimeSpan ProcessorTime => ProcessReadings.ProcessorTime(Id);

    /// <summary>Starts Garnet. Arguments as the command line has them ("--maxmemory", "200mb").</summary>
    public static AttackedServer StartGarnet(params string[] arguments)
    {
        var process = GarnetProcess.Start(arguments);
        return new AttackedServer("garnet", process, process.Id, process.EndPoint, process.Folder);
    }

    /// <summary>Starts Valkey with the same arguments; null where it is not installed.</summary>
    public static AttackedServer? TryStartValkey(params string[] arguments)
    {
        if (Peers.TryFind(Valkey) is null)
            return null;
        var process = PeerServer.Start(Valkey, arguments);
        return new AttackedServer("valkey", process, process.Id, process.EndPoint, process.Folder);
    }

    /// <summary>Opens a connection.</summary>
    public RespExchange Connect() => RespExchange.Connect(EndPoint);

    /// <summary>Begins the peak of resident memory anew.</summary>
    public void ResetPeak() => ProcessReadings.ResetPeak(Id);

    /// <inheritdoc/>
    public void Dispose() => _process.Dispose();
}
