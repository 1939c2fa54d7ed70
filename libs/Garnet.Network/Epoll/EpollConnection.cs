// A connection with its own descriptor, watched by an epoll thread. Owner thread only, except the public members of its base.
using System.Net;
using System.Runtime.InteropServices;
using Garnet.Network.Buffers;
using Garnet.Network.Connections;
using Garnet.Network.Loops;

namespace Garnet.Network.Epoll;

internal sealed unsafe class EpollConnection : StreamConnection, IEpollTarget
{
    private const int VectorsPerCall = 64;
    private const uint Breaks = LinuxCalls.HangUp | LinuxCalls.Error;
    private const uint Ends = LinuxCalls.PeerShutdown | Breaks;

    private EndPoint? _localEndPoint;
    private bool _peerEnded;
    private bool _isBroken;

    internal EpollConnection(LoopTransport transport, OwnerLoop owner, int descriptor, EndPoint? remote, EndPoint? local)
        : base(transport, owner)
    {
        Descriptor = descriptor;
        RemoteEndPoint = remote;
        _localEndPoint = local;
    }

    internal int Descriptor { get; private set; }

    public override int Handle => Descriptor;

    /// <summary>Slot and generation while watched.</summary>
    internal ulong Slot { get; set; }

    internal bool IsWatched { get; set; }

    public override EndPoint? RemoteEndPoint { get; set; }

    // A listener on all addresses does not know which one was called; the kernel is asked only on demand.
    public override EndPoint? LocalEndPoint
    {
        get => _localEndPoint ??= SocketAddresses.LocalOf(Descriptor);
        set => _localEndPoint = value;
    }

    public void OnEvents(uint events)
    {
        if ((events & Ends) != 0)
        {
            _peerEnded = true;
            _isBroken |= (events & Breaks) != 0;
            // This notifies a session that waits for something else; one that reads finds out by reading the remaining bytes. A peer that
            // has only shut down its sending side still reads replies.
            if (_isBroken && !IsWaiting)
                FireConnectionClosed();
        }
        // Sending first: the session that runs next finds space. The bit is set in every event as long as there is space.
        if ((events & (LinuxCalls.Out | LinuxCalls.HangUp | LinuxCalls.Error)) != 0)
            OnWritable();
        if ((events & (LinuxCalls.In | Ends)) != 0 && !IsClosed)
            OnReadable();
    }

    internal override int Receive(byte* destination, int length)
    {
        nint received;
        do
        {
            received = LinuxCalls.Receive(Descriptor, destination, (nuint)length, 0);
            if (received < 0)
            {
                int error = Marshal.GetLastSystemError();
                if (error == LinuxCalls.Interrupted)
                    continue;
                Readable = false;
                return LinuxCalls.FailureCode(error);
            }
        } while (received < 0);
        // A short count has emptied the socket: the next bytes trigger the next edge. The end of the stream may have come with an earlier
        // edge.
        if (received < length && !_peerEnded)
            Readable = false;
        Owner.Counters.Reads++;
        Owner.Counters.BytesIn += received;
        return (int)received;
    }

    internal override long Send(byte* source, long length)
    {
        while (true)
        {
            nint sent = LinuxCalls.Send(Descriptor, source, (nuint)length, LinuxCalls.NoSignal);
            if (sent >= 0)
                return Count(sent);
            int error = Marshal.GetLastSystemError();
            if (error != LinuxCalls.Interrupted)
                return LinuxCalls.FailureCode(error);
        }
    }

    internal override long Send(Block chain, long budget, out long offered)
    {
        IoVector* vectors = stackalloc IoVector[VectorsPerCall];
        int count = 0;
        offered = 0;
        for (Block? block = chain; block is not null && count < VectorsPerCall && offered < budget; block = block.Next)
        {
            long length = Math.Min(block.End - block.Start, budget - offered);
            if (length == 0)
                continue;
            vectors[count++] = new IoVector { Base = block.Pointer + block.Start, Length = (nuint)length };
            offered += length;
        }
        if (count == 0)
            return 0;
        while (true)
        {
            nint sent = LinuxCalls.WriteVector(Descriptor, vectors, count);
            if (sent >= 0)
                return Count(sent);
            int error = Marshal.GetLastSystemError();
            if (error != LinuxCalls.Interrupted)
                return LinuxCalls.FailureCode(error);
        }
    }

    // Edges need no arming.
    internal override void WantReadable() { }

    internal override void WantWritable() { }

    private protected override bool IsBroken => _isBroken;

    private protected override bool AsksForPeer()
    {
        PollDescriptor asked = new() { Descriptor = Descriptor, Events = (short)LinuxCalls.PeerShutdown };
        return LinuxCalls.Poll(&asked, 1, timeoutMs: 0) > 0;
    }

    private protected override void CloseSocket()
    {
        _ = LinuxCalls.Close(Descriptor);
        Descriptor = -1;
    }

    private long Count(nint sent)
    {
        Owner.Counters.Writes++;
        Owner.Counters.BytesOut += sent;
        return sent;
    }
}
