// The settings of a server about its threads; see GarnetOptions.cs.
namespace Garnet;

public sealed partial class GarnetOptions
{
    /// <summary>
    /// Threads that read, execute and reply, or queues of the thread pool with the sockets transport; 0 leaves the number to the transport.
    /// </summary>
    public int IoThreads { get; set; }

    /// <summary>Commands of a pipeline whose keys are prefetched together before they run; 0 or 1 disables prefetching.</summary>
    public int PrefetchBatchMaxSize { get; set; } = 16;

    /// <summary>Minimum number of threads of the thread pool; 0 keeps the runtime's.</summary>
    public int ThreadPoolMinThreads { get; set; }

    /// <summary>Maximum number of threads of the thread pool; 0 keeps the runtime's.</summary>
    public int ThreadPoolMaxThreads { get; set; }

    /// <summary>Minimum number of I/O completion threads; 0 keeps the runtime's.</summary>
    public int ThreadPoolMinIOCompletionThreads { get; set; }

    /// <summary>Maximum number of I/O completion threads; 0 keeps the runtime's.</summary>
    public int ThreadPoolMaxIOCompletionThreads { get; set; }

    /// <summary>TCP port for TLS clients, 0 to 65535, on the addresses of <see cref="Bind"/>; 0 opens none.</summary>
    public int TlsPort { get; set; }

    /// <summary>
    /// File with the server's certificate and its chain, in PEM form. A relative path is relative to <see cref="Dir"/>, as in all options
    /// of TLS.
    /// </summary>
    public string TlsCertFile { get; set; } = "";
}
