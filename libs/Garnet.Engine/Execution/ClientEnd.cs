// When a client's connection ends. Part of a ClientSession: asked and read by any thread.
namespace Garnet.Engine.Execution;

/// <summary>The end of a connection: after the current reply, after the requests that have arrived, or at once.</summary>
internal struct ClientEnd(ClientSession client)
{
    private volatile bool _isRequested;
    private volatile bool _isForced;

    /// <summary>Whether it ends after the current reply.</summary>
    public bool AfterReply { get; set; }

    /// <summary>Whether the session is to end after it has answered the requests it has.</summary>
    public readonly bool IsRequested => _isRequested;

    /// <summary>Whether the client has been told to close (CLIENT KILL, timeout, limits).</summary>
    public readonly bool IsForced => _isForced;

    /// <summary>Lets the session finish its present requests and then end.</summary>
    public void Request()
    {
        _isRequested = true;
        client.Session?.Wake();
    }

    /// <summary>Ends the connection at once.</summary>
    public void Force()
    {
        _isForced = true;
        client.Input.Release();
        client.Connection.Abort();
    }
}
