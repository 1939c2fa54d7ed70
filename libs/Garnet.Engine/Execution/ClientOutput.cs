// What a client has not read yet: its limits, and the messages that other threads send it. Any thread, unless a member says otherwise.
using Garnet.Engine.Clients;
using Garnet.Engine.Rules;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Engine.Execution;

/// <summary>A client's replies and messages on their way out.</summary>
internal sealed class ClientOutput(ClientSession client, ClientParts parts)
{
    private const long MsPerSecond = 1000;

    // Limit on unread replies of an unauthenticated client, whatever the configured limits: a little more than one reply buffer, as in
    // Valkey.
    private const int StrangerBytes = 17 * 1024;

    private MessageQueue? _messages;
    private Task? _drained;
    private int _isKilled;
    private long _softLimitSinceMs;

    /// <summary>Determines <see cref="Limit"/>; written by the client's thread.</summary>
    public OutputClass Class
    {
        get;
        set
        {
            parts.Registry.CountClass(field, value);
            field = value;
            UpdateRaised();
        }
    }

    /// <summary>The present limit of unsent replies and messages, by the client's class.</summary>
    public OutputBufferLimit Limit => parts.Executor.Settings.OutputLimits.Of(Class);

    /// <summary>The stream that the client gets as a replica; null for other clients.</summary>
    public OutputFeed? Feed { get; set; }

    /// <summary>Messages from other threads for this client; null when there never were any.</summary>
    public MessageQueue? Messages => Volatile.Read(ref _messages);

    /// <summary>Bytes that wait to be sent: replies, and messages that the client's thread has not written yet.</summary>
    public long UnsentBytes => client.Connection.UnsentBytes + (Messages?.Bytes ?? 0) + (Feed?.Lag ?? 0);

    /// <summary>The gates that are raised for the client because of what it is sent.</summary>
    public GateMask Raised { get; private set; }

    /// <summary>True in RESP2 while the client has subscriptions, because it could not distinguish other replies from messages.</summary>
    public bool TakesOnlySubscriptions => Class == OutputClass.PubSub && client.ProtocolVersion == 2;

    /// <summary>Raises the gates that follow from the client's class, protocol and monitor mode. The client's thread.</summary>
    public void UpdateRaised() =>
        Raised =
            (TakesOnlySubscriptions ? GateMask.Subscriber : GateMask.None)
            | (Class == OutputClass.Replica || client.Modes.IsMonitor ? GateMask.Feed : GateMask.None);

    /// <summary>
    /// Sends bytes to the client between its replies, also under any latch; they are not copied. What the client's thread has not written
    /// yet counts here, as that thread may be busy for long.
    /// </summary>
    public void Deliver(byte[] message, ValueBlock payload = default)
    {
        if (client.End.IsForced)
            return;
        MessageQueue queue = Messages ?? Interlocked.CompareExchange(ref _messages, new MessageQueue(), null) ?? _messages!;
        payload.AddReference();
        if (queue.Add(new QueuedMessage(message, payload)))
            client.Session?.Wake();
        CloseIfAtLimit();
    }

    /// <summary>
    /// Completes when the network has accepted what was flushed when the wait began; a second caller shares the wait of the first, as a
    /// connection has one. The client's thread.
    /// </summary>
    public Task DrainAsync() => _drained is { IsCompleted: false } pending ? pending : _drained = client.Connection.DrainAsync().AsTask();

    /// <summary>
    /// Closes the client when its unsent replies and messages have reached the hard limit. Also under any latch: the log line is written on
    /// another thread, as it may wait for a disk.
    /// </summary>
    public void CloseIfAtLimit()
    {
        long limit = Limit.HardBytes;
        if (limit > 0 && UnsentBytes >= limit && TryKill())
            ThreadPool.UnsafeQueueUserWorkItem(static output => output.Report(), this, preferLocal: false);
    }

    /// <summary>
    /// Closes the client when its unsent replies exceed a limit: at once for the hard limit, after a while for the soft one. Called by the
    /// clock, and by the client's thread after a batch.
    /// </summary>
    public bool EndIfSlow(OutputBufferLimits limits, long nowMs)
    {
        if (client.End.IsForced || !Exceeds(limits.Of(Class), nowMs))
            return client.End.IsForced;
        if (TryKill())
            Report();
        return true;
    }

    /// <summary>Called when the connection has ended: releases the messages that were not sent. The client's thread.</summary>
    public void End()
    {
        Messages?.Close();
        Feed?.Close();
        Class = OutputClass.Normal;
    }

    private bool Exceeds(OutputBufferLimit limit, long nowMs)
    {
        long unsent = UnsentBytes;
        if ((limit.HardBytes > 0 && unsent >= limit.HardBytes) || (unsent > StrangerBytes && client.Login.IsRequired))
            return true;
        if (limit.SoftBytes == 0 || unsent < limit.SoftBytes)
        {
            _softLimitSinceMs = 0;
            return false;
        }

        if (_softLimitSinceMs == 0)
            _softLimitSinceMs = nowMs;
        return nowMs - _softLimitSinceMs > limit.SoftSeconds * MsPerSecond;
    }

    // A client is closed, and counted, once, however many threads find it slow at the same time.
    private bool TryKill()
    {
        if (Interlocked.Exchange(ref _isKilled, 1) != 0)
            return false;
        parts.Statistics.CountOutputBufferDisconnection();
        client.End.Force();
        return true;
    }

    private void Report()
    {
        parts.Log.LogWarning(
            "Client {Id} at {Address} closed: its unsent replies exceeded the output buffer limit",
            client.Id,
            client.Connection.RemoteAddress
        );
    }
}
