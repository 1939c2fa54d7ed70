// What only the host of a server knows. Any thread.
using System.Net;

namespace Garnet.Server.Basics;

/// <summary>Figures of whatever serves the server's connections; asked at any time, before the endpoints are open as well.</summary>
internal interface IHostFigures
{
    /// <summary>Whether the process is the server's alone, so that all its memory counts.</summary>
    bool OwnsProcess { get; }

    /// <summary>Native bytes of connections: unfinished requests, unsent replies, and buffers for them.</summary>
    long ConnectionBytes { get; }

    /// <summary>Threads that serve sockets; 0 where the thread pool does.</summary>
    int IoThreads { get; }

    /// <summary>The endpoints without TLS.</summary>
    IReadOnlyList<EndPoint> EndPoints { get; }

    /// <summary>The endpoints with TLS.</summary>
    IReadOnlyList<EndPoint> TlsEndPoints { get; }

    /// <summary>The certificates in use; null without TLS.</summary>
    TlsCertificates? Certificates { get; }
}
