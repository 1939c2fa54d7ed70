// The one meter of attacks: processor time, memory and other clients' waiting time of a server while something runs. One thread beside the
// onlooker's.
namespace Garnet.Attack.Tests;

/// <summary>Watches a server by an onlooker's connection, and measures from <see cref="Start"/> to <see cref="Stop"/>.</summary>
internal sealed class AttackMeter : IDisposable
{
    private readonly AttackedServer _server;
    private readonly OnlookerClient _onlooker;
    private TimeSpan _processorTime;
    private long _residentBytes;

    public AttackMeter(AttackedServer server)
    {
        _server = server;
        _onlooker = new OnlookerClient(server);
    }

    /// <summary>Begins a measurement.</summary>
    public void Start()
    {
        _server.ResetPeak();
        _residentBytes = _server.ResidentBytes;
        _processorTime = _server.ProcessorTime;
        _onlooker.Restart();
    }

    /// <summary>Ends it.</summary>
    /// <param name="ownBytes">What the attack holds itself: its requests and replies, where they are known.</param>
    public AttackCost Stop(long ownBytes = 0)
    {
        // What the server does behind its reply makes others wait too.
        _onlooker.AwaitReply();
        return new AttackCost(
            _server.ProcessorTime - _processorTime,
            _onlooker.LongestWait,
            Math.Max(0, _server.PeakResidentBytes - _residentBytes - ownBytes)
        );
    }

    /// <inheritdoc/>
    public void Dispose() => _onlooker.Dispose();
}
