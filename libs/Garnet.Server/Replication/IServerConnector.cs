// Opens connections to other servers. Implemented by the host for its network; any thread.
namespace Garnet.Server.Replication;

/// <summary>How a server reaches its primary, and the targets of MIGRATE.</summary>
internal interface IServerConnector
{
    /// <summary>Opens a connection, encrypted if the options say so (tls-replication). The caller owns the stream.</summary>
    /// <exception cref="IOException">The server cannot be reached, or one side has refused the other.</exception>
    Task<Stream> ConnectAsync(string host, int port, GarnetOptions options, CancellationToken cancellationToken);
}
