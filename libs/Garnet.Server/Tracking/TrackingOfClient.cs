// What a client tracks.
using System.Runtime.CompilerServices;
using Garnet.Engine.Execution;

namespace Garnet.Server.Tracking;

/// <summary>Finds the tracking that belongs to a client.</summary>
internal static class TrackingOfClient
{
    extension(ClientSession client)
    {
        /// <summary>The tracking; null before the first CLIENT TRACKING ON.</summary>
        public ClientTracking? Tracking
        {
            get => Unsafe.As<ClientTracking?>(client.TrackedKeys);
            set => client.TrackedKeys = value;
        }
    }
}
